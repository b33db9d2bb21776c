"""What blocks do to the names of a session, read from their source: which they write, read, change and delete. Used to say how a
value was made, and by the host to find the fewest blocks that make it again.
"""

import ast
import re

LONGEST = 120
OURS = re.compile(r"<(?:earlier )?block\b")
LOOKING = frozenset(  # methods that are called to look at a value
    "copy count describe dtypes find get groupby head hist index info items join keys mean nunique plot sample show sum tail "
    "to_csv to_excel to_json to_parquet value_counts values".split()
)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Facts:
    """What one block does at its top level. `changed` are names whose value it works on: `x[0] = 1`, `x.append(1)`, `x += 1`."""

    def __init__(self):
        self.written, self.read, self.changed, self.deleted = set(), set(), set(), set()
        self.made = {}  # by name, the statement that writes it
        self.imported = []  # `import a.b`, which is more than the name `a` says
        self.modules = set()  # names of modules, which a call on them does not change


def facts(code):
    found = Facts()
    tree = parsed(code)
    if tree is not None:
        lines = code.splitlines()
        for statement in tree.body:
            look(statement, found, lines)
    return found


def parsed(code):
    try:
        return driver.parse(code, "<look>")
    except (SyntaxError, ValueError):
        return driver.attempt(lambda: driver.companion("rewrite").parse(code, "<look>"))


def look(statement, found, lines):
    before = set(found.written)
    visit(statement, found, True)
    for name in found.written - before | (found.written & stored(statement)):
        found.made[name] = excerpt(statement, lines)


def stored(statement):
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)} | {
        node.name for node in (statement,) if isinstance(node, SCOPES) and hasattr(node, "name")
    }


def excerpt(statement, lines):
    first = lines[statement.lineno - 1].strip() if statement.lineno <= len(lines) else ""
    more = getattr(statement, "end_lineno", statement.lineno) > statement.lineno
    return (first[:LONGEST] + " …") if more or len(first) > LONGEST else first


def visit(node, found, top):
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            if isinstance(node, ast.Import) and "." in alias.name and not alias.asname:
                found.imported.append(alias.name)
            if top and alias.name != "*":
                name = alias.asname or alias.name.split(".")[0]
                found.written.add(name)
                if isinstance(node, ast.Import):
                    found.modules.add(name)
        return
    if isinstance(node, ast.Global):
        found.changed.update(node.names)
        found.read.update(node.names)
        return
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load):
            found.read.add(node.id)
        elif top and isinstance(node.ctx, ast.Del):
            found.deleted.add(node.id)
        elif top:
            found.written.add(node.id)
        return
    if top and isinstance(node, ast.AugAssign):
        name = root(node.target)
        if name:
            found.changed.add(name)
            found.read.add(name)
    elif top and isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        name = root(node)
        if name:
            found.changed.add(name)
    elif top and isinstance(node, ast.Expr):
        name = called_on(node.value)
        if name:
            found.changed.add(name)
    if isinstance(node, SCOPES):
        if top and hasattr(node, "name"):
            found.written.add(node.name)
        top = False
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        top = False
    for child in ast.iter_child_nodes(node):
        visit(child, found, top)


def called_on(node):
    """`x` of a statement such as `x.append(1)`, which is there for what it does to x."""
    node = node.value if isinstance(node, ast.Await) else node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr in LOOKING:
        return None
    return root(node.func)


def root(node):
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


# --- the blocks of this session -----------------------------------------------------------------------------------

read_already = {}  # facts by the name of a block, as long as it has the same source


def sources():
    """The source of each block that ran here, oldest first, by name."""
    import linecache

    found = [(name, "".join(entry[2])) for name, entry in list(linecache.cache.items()) if OURS.match(name) and len(entry) == 4]
    return dict(found)


def facts_of(name, code):
    known = read_already.get(name)
    if known is None or known[0] != len(code):
        known = read_already[name] = (len(code), facts(code))
    return known[1]


def class_source(name):
    """The statement that last defined the class of this name at the top of a block, with its decorators."""
    for code in reversed(list(sources().values())):
        tree = parsed(code) if "class" in code else None
        for node in reversed(tree.body if tree else []):
            if isinstance(node, ast.ClassDef) and node.name == name:
                start = min([node.lineno] + [each.lineno for each in node.decorator_list])
                return "\n".join(code.splitlines()[start - 1 : node.end_lineno]), node
    return None, None


def told(codes):
    """What the host needs to find the blocks that make something again."""
    kinds = "written", "read", "changed", "deleted", "modules"
    return [{kind: sorted(getattr(each, kind)) for kind in kinds} for each in map(facts, codes)]
