"""What can be told of a piece of Python by its form alone. Goes with python-facts.py."""

import ast


def root_node(node):
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call, ast.Starred, ast.Await)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node


def root_of(node):
    """The name that `a.b[0].c()` begins with."""
    root = root_node(node)
    return root.id if isinstance(root, ast.Name) else None


def aliases_of(node, world):
    """The names whose value a value may share."""
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        root = root_of(node)
        value = world.names.get(root) if root else None
        return [root] if root and not (value is not None and value.module) else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        root = root_of(node.func)
        value = world.names.get(root) if root else None
        if root is None or (value is not None and value.module) or node.func.attr in PURE or WRITING.match(node.func.attr):
            return []
        return [root]
    if isinstance(node, ast.IfExp):
        return aliases_of(node.body, world) + aliases_of(node.orelse, world)
    if isinstance(node, ast.Await):
        return aliases_of(node.value, world)
    return []


def names_in(target):
    return [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]


def bound_in(body):
    """The names that a function makes its own, and those it says are not."""
    local, shared = set(), set()
    todo = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            local.add(node.name)
            continue
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            continue
        if isinstance(node, ast.Global):
            shared |= set(node.names)
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            local.add(node.id)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            local |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ExceptHandler) and node.name:
            local.add(node.name)
        name = getattr(node, "name", None) if type(node).__name__ in ("MatchAs", "MatchStar") else None
        if name:
            local.add(name)
        todo += list(ast.iter_child_nodes(node))
    return local - shared, shared


def is_main_test(test):
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def only_looks(node):
    """Whether an expression does no more than look at what something is like."""
    if isinstance(node, ast.Attribute):
        return node.attr in LOOKING or node.attr in AROUND and only_looks(node.value)
    if isinstance(node, ast.Subscript):
        return only_looks(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return only_looks(node.func)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in LOOKING:
            return True
        said = [each for each in node.args if not (isinstance(each, ast.Constant) and isinstance(each.value, str))]
        return node.func.id in AROUND and bool(said) and all(only_looks(each) for each in said)
    return False
