"""Answers what is asked about blocks of Python. Uses the names of the parts that `python-program.ts` puts before it.

{"blocks": [{"code", "upTo"}], "folder"} is answered with one object a block: its facts, the imports that can stand at the top, what
is left of it, and the same for a plain script; {"modules", "codes", "folder"} with the versions that are installed.
"""

import ast
import os


def answer(request):
    if "modules" in request:
        return versions(request["modules"], request["codes"], request["folder"])
    world = World(os.path.normpath(request["folder"]))
    return [take_apart(block, world) for block in request["blocks"]]


def take_apart(block, world):
    if "made" in block:  # a block of another language
        world.files |= set(block["made"])
        return None
    source = Source(block["code"])
    facts = {"doubt": list(source.doubt), "installs": source.installs, "imports": [], "needs": []}
    try:
        tree = ast.parse(source.python)
    except (SyntaxError, ValueError) as error:
        return dict(facts, problem=str(error), reads=[], binds=[], changes=[], modules=[], filesRead=[], filesMade=[], body=block["code"])
    lines = source.python.split("\n")
    statements = tree.body
    whole = block.get("upTo") is None
    if not whole:
        statements = [each for each in statements if each.end_lineno < block["upTo"]]
    imports = []
    for index, statement in enumerate(statements):
        before = index > 0 and statements[index - 1].end_lineno == statement.lineno
        after = index + 1 < len(tree.body) and tree.body[index + 1].lineno == statement.end_lineno
        alone = not before and not after and statement.col_offset == 0 and ";" not in lines[statement.end_lineno - 1]
        if is_gatherable(statement, lines, alone):
            imports.append(statement)
    suppressed = source.code.rstrip().endswith(";")
    shows = whole and bool(statements) and isinstance(statements[-1], ast.Expr) and not suppressed
    visitor = Block(world)
    visitor.imported = {id(each) for each in imports}
    visitor.run(statements, shows=shows)
    for made in source.made:
        visitor.make_file(visitor.place(made))
    if source.doubt:
        visitor.read_all_files()
    last = max([each.end_lineno for each in statements], default=0)
    text = "\n".join(source.code.split("\n") if whole else source.code.split("\n")[:last])
    shown = [each for each in statements if not isinstance(each, (ast.Import, ast.ImportFrom))]
    paths = path_edits(statements, source, world.folder)
    removed = [(each.lineno, each.end_lineno) for each in imports]
    facts.update(
        doubt=list(dict.fromkeys(visitor.doubt + source.doubt)),
        reads=sorted(each for each in visitor.reads if not is_builtin(each, world)),
        binds=sorted(visitor.binds),
        changes=sorted(visitor.changes),
        modules=sorted(visitor.modules),
        filesRead=sorted(visitor.files_read),
        filesMade=sorted(visitor.files_made | visitor.files_changed),
        network=visitor.network,
        clock=visitor.clock,
        awaits=visitor.awaits,
        shows=shows,
        looks=bool(shown) and all(isinstance(each, ast.Expr) and only_looks(each.value) for each in shown),
        body=without_lines(edited(text, paths), removed),
        unknown=sorted(
            each[7:] for each in visitor.reads if each.startswith("python:") and each[7:] not in world.names and each[7:] not in BUILTINS
        ),
    )
    facts["imports"] = [
        {
            "code": "\n".join(lines[each.lineno - 1 : each.end_lineno]),
            "names": [alias.asname or alias.name.partition(".")[0] for alias in each.names],
            "modules": [each.module] if isinstance(each, ast.ImportFrom) else [alias.name for alias in each.names],
        }
        for each in imports
    ]
    script(facts, source, statements, text, paths, removed, shows, visitor)
    return facts


def is_gatherable(statement, lines, alone):
    if not isinstance(statement, (ast.Import, ast.ImportFrom)) or not alone:
        return False
    if isinstance(statement, ast.ImportFrom):
        return statement.level == 0 and all(alias.name != "*" for alias in statement.names)
    return True


def is_builtin(resource, world):
    name = resource[7:] if resource.startswith("python:") else None
    return name is not None and name in BUILTINS and name not in world.names
