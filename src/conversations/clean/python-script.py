"""Writes the code of a block for other places: without its imports, with paths as seen from the folder, and for a plain script."""

import ast
import os
import tokenize


def path_edits(statements, source, folder):
    """Paths inside the folder are written as seen from it, so that the code works in another one."""
    edits = []
    for statement in statements:
        inside = {id(part) for node in ast.walk(statement) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
        for node in ast.walk(statement):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in inside:
                continue
            value = node.value
            if value != folder and not value.startswith(folder + "/"):
                continue
            segment = ast.get_source_segment(source.python, node) or ""
            try:
                same = ast.literal_eval(segment) == value and source.python == source.code
            except (SyntaxError, ValueError):
                same = False
            if same:
                edits.append((node, repr(os.path.relpath(value, folder) + ("/" if value.endswith("/") else ""))))
    return edits


def edited(text, edits):
    """Puts other text in the place of nodes. Columns count bytes."""
    lines = text.split("\n")
    for node, new in sorted(edits, key=lambda edit: (edit[0].lineno, edit[0].col_offset), reverse=True):
        first, last = node.lineno - 1, node.end_lineno - 1
        before = lines[first].encode("utf-8")[: node.col_offset].decode("utf-8")
        after = lines[last].encode("utf-8")[node.end_col_offset :].decode("utf-8")
        lines[first : last + 1] = (before + new + after).split("\n") + [""] * (last - first - new.count("\n"))
    return "\n".join(lines)


def without_lines(text, removed):
    lines = text.split("\n")
    for first, last in reversed(removed):
        del lines[first - 1 : last]
    return "\n".join(lines).strip("\n")


def script(facts, source, statements, text, paths, removed, shows, visitor):
    """The block for a plain program: what a session shows by itself is shown by a call."""
    if source.cell is not None and source.python == "":
        facts["script"] = source.whole
        return
    edits = list(paths)
    needs = set()
    for statement in statements:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            dotted = visitor.dotted(statement.value.func)
            if dotted in ("matplotlib.pyplot.show", "pylab.show"):
                edits.append((statement.value, "show_figures()"))
                needs.add("figures")
                continue
        if shows and statement is statements[-1]:
            call = isinstance(statement.value, ast.Call) and isinstance(statement.value.func, ast.Name)
            if call and statement.value.func.id in ("print", "display"):
                continue
            inner = [(node, new) for node, new in edits if node in list(ast.walk(statement))]
            edits = [edit for edit in edits if edit not in inner]
            segment = ast.get_source_segment(source.python, statement.value) or ""
            if not inner and segment:
                edits.append((statement.value, "show_value(%s)" % segment))
                needs.add("show")
            else:
                edits += inner
    if any(isinstance(node, ast.Name) and node.id == "display" for each in statements for node in ast.walk(each)):
        needs |= {"show", "display"}
    plain = edited(text, edits).split("\n")
    for number, line in source.plain.items():
        if number <= len(plain):
            plain[number - 1] = line
    made = without_lines("\n".join(plain), removed)
    if visitor.awaits:
        made = in_function(made, [each[7:] for each in sorted(visitor.binds | visitor.changes) if each.startswith("python:")])
    facts["script"] = made
    facts["needs"] = sorted(needs)


def in_function(text, names):
    """A block that waits at its top level, as a function that does; its names stay everybody's."""
    inside = set()
    try:
        for token in tokenize.generate_tokens(iter(text.splitlines(True)).__next__):
            if token.type == tokenize.STRING or token.type == getattr(tokenize, "FSTRING_MIDDLE", -1):
                inside |= set(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, IndentationError):
        pass
    lines = ["    " + line if line and number not in inside else line for number, line in enumerate(text.split("\n"), 1)]
    shared = ["    global " + ", ".join(names)] if names else []
    return "\n".join(["async def main():"] + shared + lines + ["", "", "__import__('asyncio').run(main())"])
