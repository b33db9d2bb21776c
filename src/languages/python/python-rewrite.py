"""Turns what only a notebook understands (`%magic`, `!command`, `name?`) into Python, line for line.

Used on a block that does not compile as it is. Such a line counts only where a statement may begin: inside a string, a
bracket or a continued line nothing is touched. Each becomes a call of `__magic__` on the same line, and takes the place
of the whole line in tracebacks.
"""

import ast
import re

# What a line of Python is made of, as far as finding its end goes.
PIECE = re.compile(
    r"""
    (?P<comment>\#[^\n]*)
  | (?P<long>(?P<quotes>\"{3}|'{3})(?:\\.|(?!(?P=quotes)).)*(?P=quotes))
  | (?P<unfinished>\"{3}|'{3})
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<open>[(\[{])
  | (?P<close>[)\]}])
  | (?P<joined>\\\r?\n)
  | (?P<newline>\n)
  | (?P<other>[^\#"'()\[\]{}\\\n]+|.)
    """,
    re.VERBOSE | re.DOTALL,
)
BLANK = re.compile(r"(?:[ \t\f\r]*(?:#[^\n]*)?\n)*")
INDENT = re.compile(r"[ \t]*")
RAW = re.compile(r"(?:[^\n\\]|\\\r?\n|\\)*")  # to the end of the line, over backslashes at the end of one
CELL = re.compile(r"%%(!|[A-Za-z_][\w.]*)[ \t]*([^\n]*)\n?")
TARGET = r"[A-Za-z_][\w. \t,*]*(?:\[[^\]\n=]*\][\w. \t,*]*)*"
ASSIGNED = re.compile(r"(" + TARGET + r"=[ \t]*)(%|!)(?=\S)")
HELP = re.compile(r"(?:%{0,2}[A-Za-z_*][\w.*]*|[A-Za-z_][\w.]*(?:\[[^\]]*\])?[\w.]*)$")
MAGIC = re.compile(r"(!|[A-Za-z_][\w.]*)[ \t]*(.*)", re.DOTALL)
# Words that notebooks take for magics also without a percent sign, where the line is no Python.
BARE = re.compile(
    r"(?:(?:pip3?|conda|mamba|uv)[ \t]+(?:add|freeze|install|list|pip|remove|show|sync|uninstall|update)\b|(?:cd|ls|mkdir)[ \t]+[\w./~$\"'-])"
)


def parse(code, name):
    """The syntax tree of the block, or None when there is nothing in it that only a notebook understands."""
    code, indented = dedented(code.replace("\r\n", "\n"))
    rewritten, touched = rewrite(code)
    if not touched and not indented:
        return None
    tree = driver.parse(rewritten, name)
    for node in ast.walk(tree):
        place = touched.get(getattr(node, "lineno", None))
        if place is not None:
            node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = place
    return tree


def dedented(code):
    """A block may be indented as a whole; a notebook takes that, too."""
    start = BLANK.match(code).end()
    indent = code[start : INDENT.match(code, start).end()]
    return (re.sub("^" + indent, "", code, flags=re.MULTILINE), True) if indent else (code, False)


def rewrite(code):
    """The block as Python, and for each line that was changed its place: line, column, last line, last column."""
    out, touched = [], {}
    at = 0
    while at < len(code):
        start = BLANK.match(code, at).end()
        out.append(code[at:start])
        begin = INDENT.match(code, start).end()
        found, at = notebook_line(code, begin)
        if found is None:
            out.append(code[start:at])
            continue
        line = code.count("\n", 0, start) + 1
        text = code[begin:at]
        if CELL.match(text):  # its first line stands for it
            touched[line] = (line, 0, line, len(text.partition("\n")[0].encode("utf-8")))
            out.append(found + "\n" * text.count("\n"))
            continue
        last = text[text.rfind("\n") + 1 :]
        ends = 0 if "\n" in text else begin - start
        touched[line] = (line, begin - start, line + text.count("\n"), ends + len(last.encode("utf-8")))
        out.append(code[start:begin] + found + "\n" * text.count("\n"))
    return "".join(out), touched


def notebook_line(code, begin):
    """The call that stands for the line beginning here, or None, and where the line ends."""
    sign = code[begin : begin + 1]
    cell = CELL.match(code, begin) if sign == "%" else None
    if cell and (begin == 0 or code[begin - 1] == "\n"):
        name, rest = cell.group(1, 2)
        body_line = code.count("\n", 0, cell.end()) + (1 if cell.group().endswith("\n") else 2)
        return call("cell", name, rest.strip(), code[cell.end() :], body_line), len(code)
    if sign and sign in "%!?":
        end = RAW.match(code, begin).end()
        return of_raw(code[begin:end]), end
    assigned = ASSIGNED.match(code, begin)
    if assigned:
        end = RAW.match(code, begin).end()
        text = unbroken(code[assigned.end() : end])
        made = call("output", text) if assigned.group(2) == "!" else magic(text)
        return (assigned.group(1) + made if made else None), end
    end, said = python_line(code, begin)
    text = code[begin:said]
    if text.endswith("?"):
        return of_question(text), end
    if BARE.match(text) and "\n" not in text and text.split()[0] not in driver.namespace and not compiles(text):
        return magic(text), end
    return None, end


def of_raw(text):
    text = unbroken(text)
    if text.startswith("?") or text.endswith("?") and text.startswith("%"):
        made = of_question(text)
        if made or text.startswith("?"):
            return made
    if text.startswith("!!"):
        return call("output", text[2:].strip())
    if text.startswith("!"):
        return call("system", text[1:].strip())
    return magic(text.lstrip("%"))


def of_question(text):
    text = text.strip()
    subject = text.strip("?").strip()
    if not HELP.match(subject):
        return None
    return call("help", subject, len(text) - len(text.strip("?")) > 1)


def magic(text):
    match = MAGIC.match(text)
    return call("line", match.group(1), match.group(2).strip()) if match else None


def call(*arguments):
    return "__magic__(%s)" % ", ".join(map(repr, arguments))


def unbroken(text):
    return re.sub(r"\\\r?\n[ \t]*", " ", text).strip()


def compiles(text):
    try:
        driver.parse(text, "<line>")
    except (SyntaxError, ValueError):
        return False
    return True


def python_line(code, at):
    """Where the logical line that begins here ends, and where what it says ends: before a comment."""
    depth = 0
    said = at
    while at < len(code):
        piece = PIECE.match(code, at)
        kind = piece.lastgroup
        if kind == "newline" and depth == 0:
            break
        if kind == "unfinished":
            return len(code), len(code)
        at = piece.end()
        if kind == "open":
            depth += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        if kind not in ("comment", "newline", "joined") and piece.group().strip():
            said = piece.start() + len(piece.group().rstrip())
    return at, said
