"""Reads a block of Python from stdin and writes what it is made of to stdout, as JSON; nothing of it is run.

The shapes are those of tree.ts. Run as `python -I -S safety-python.py`. Somebody waits for it: what starts slowly (`ast`,
`json`, `re`) stays out as long as it is not needed.
"""

import _ast as ast
import sys

try:
    from _json import encode_basestring_ascii as quoted
except ImportError:
    from json.encoder import py_encode_basestring_ascii as quoted

LONG = 200  # texts from here on say on which line they stand
MAGIC = r"^([ \t]*)(?:([A-Za-z_]\w*)[ \t]*=[ \t]*)?(!{1,2}|%)[ \t]*(\S[^\n]*)$"
CELL = r"\s*%%(\w+|!)[^\n]*\n?"
CELL_LANGUAGES = {"bash": "shell", "sh": "shell", "!": "shell", "system": "shell", "script": "shell",
                  "js": "javascript", "javascript": "javascript", "node": "javascript", "sql": "sql"}


def main():
    sys.setrecursionlimit(3000)
    code = sys.stdin.buffer.read().decode("utf-8", "surrogatepass")
    try:
        answer = {"steps": read(code)}
    except SyntaxError as error:
        answer = {"problem": error.msg, "line": error.lineno or 1}
    except (ValueError, RecursionError, MemoryError) as error:
        answer = {"problem": str(error), "line": 1, "unfinished": True}
    out = []
    write(answer, out.append)
    sys.stdout.write("".join(out))


def write(value, out):
    """As JSON."""
    if isinstance(value, dict):
        out("{")
        for index, (key, each) in enumerate(value.items()):
            out("," if index else "")
            out(quoted(key) + ":")
            write(each, out)
        out("}")
    elif isinstance(value, list):
        out("[")
        for index, each in enumerate(value):
            out("," if index else "")
            write(each, out)
        out("]")
    elif isinstance(value, str):
        out(quoted(value))
    else:
        out({True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value))


def parse(code):
    return compile(code, "<block>", "exec", ast.PyCF_ONLY_AST).body


def children(node):
    for field in node._fields:
        value = getattr(node, field, None)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.AST):
                yield each


def read(code):
    cell = None
    if code.lstrip().startswith("%%"):
        import re

        cell = re.match(CELL, code)
    language = CELL_LANGUAGES.get(cell.group(1)) if cell else None
    if language:
        return [{"type": "block", "language": language, "code": code[cell.end():],
                 "line": code.count("\n", 0, cell.end()) + 1}]
    if cell:
        code = "\n" * cell.group().count("\n") + code[cell.end():]
    try:
        return steps(parse(code), True)
    except SyntaxError:
        rewritten, lines = without_magics(code)
        if not lines:
            raise
        return lines + steps(parse(rewritten), True)


def without_magics(code):
    """Lines that only a notebook understands, as blocks of their own; in the code they do nothing."""
    import re

    out, found = [], []
    for number, line in enumerate(code.split("\n"), 1):
        match = re.match(MAGIC, line)
        if not match:
            out.append(line)
            continue
        indent, name, sign, rest = match.groups()
        out.append(indent + (name + " = None" if name else "pass"))
        if sign.startswith("!") or re.match(r"(pip|conda|sx|system|cd|rm|mv|cp|mkdir|cat|ls)\b", rest):
            found.append({"type": "block", "language": "shell", "code": re.sub(r"^(sx|system)\s+", "", rest), "line": number})
        else:
            found.append({"type": "do", "line": number, "value": {"type": "several", "parts": []}})
    return "\n".join(out), found


def steps(body, top=False):
    made = []
    for node in body:
        made.extend(step(node))
    if top and body and isinstance(body[-1], ast.Expr) and made:
        made[-1]["shown"] = True
    return made


def step(node):
    kind = type(node).__name__
    if kind == "Expr":
        return [{"type": "do", "value": expression(node.value), "line": node.lineno}]
    if kind == "Import":
        return [
            {"type": "import", "name": each.asname or each.name.partition(".")[0],
             "what": each.name if each.asname else each.name.partition(".")[0]}
            for each in node.names
        ]
    if kind == "ImportFrom":
        module = node.module or ""
        return [
            {"type": "import-all", "module": module} if each.name == "*"
            else {"type": "import", "name": each.asname or each.name, "what": module + "." + each.name}
            for each in node.names
        ]
    if kind == "Assign":
        return [each for target in node.targets for each in assign(target, node.value, node.lineno)]
    if kind == "AnnAssign":
        return assign(node.target, node.value, node.lineno) if node.value else []
    if kind == "AugAssign":
        added = {"type": "join", "parts": [expression(node.target), expression(node.value)]}
        if isinstance(node.target, ast.Name):
            return [{"type": "bind", "name": node.target.id, "value": added}]
        return [{"type": "set", "target": expression(node.target), "value": added, "line": node.lineno}]
    if kind in ("FunctionDef", "AsyncFunctionDef"):
        decorated = [{"type": "do", "value": expression(each), "line": node.lineno} for each in node.decorator_list]
        return decorated + [{"type": "function", "name": node.name, "parameters": parameters(node.args),
                             "body": steps(node.body)}]
    if kind == "Return":
        return [{"type": "return", "value": expression(node.value)}] if node.value else []
    if kind in ("For", "AsyncFor"):
        loop = {"type": "loop", "names": names_in(node.target), "of": expression(node.iter), "endless": False}
        return [dict(loop, body=steps(node.body))] + steps(node.orelse)
    if kind == "While":
        endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        test = {"type": "do", "value": expression(node.test), "line": node.lineno}
        return [test, {"type": "loop", "names": [], "endless": endless, "body": steps(node.body)}] + steps(node.orelse)
    if kind in ("With", "AsyncWith"):
        made = []
        for item in node.items:
            if item.optional_vars is None:
                made.append({"type": "do", "value": expression(item.context_expr), "line": node.lineno})
            else:
                made.extend(assign(item.optional_vars, item.context_expr, node.lineno))
        return made + steps(node.body)
    # Whatever else there is has statements, expressions, or both.
    made = []
    for child in children(node):
        made.extend(inside(child, getattr(node, "lineno", 1)))
    return made


def inside(node, line):
    if isinstance(node, ast.stmt):
        return step(node)
    if isinstance(node, ast.expr):
        return [{"type": "do", "value": expression(node), "line": getattr(node, "lineno", line)}]
    return [each for child in children(node) for each in inside(child, getattr(node, "lineno", line))]


def assign(target, value, line):
    if isinstance(target, ast.Name):
        return [{"type": "bind", "name": target.id, "value": expression(value)}]
    if isinstance(target, (ast.Tuple, ast.List)):
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
            pairs = zip(target.elts, value.elts)
            return [each for one, other in pairs for each in assign(one, other, line)]
        parts = {"type": "several", "parts": [expression(value)]}
        names = [each.id for each in target.elts if isinstance(each, ast.Name)]
        return [{"type": "bind", "name": name, "value": parts} for name in names] or [
            {"type": "do", "value": parts, "line": line}
        ]
    if isinstance(target, ast.Starred):
        return assign(target.value, value, line)
    return [{"type": "set", "target": expression(target), "value": expression(value), "line": line}]


def names_in(target):
    if isinstance(target, ast.Name):
        return [target.id]
    return [name for each in children(target) for name in names_in(each)]


def parameters(args):
    return [each.arg for each in args.posonlyargs + args.args] + [each.arg for each in args.kwonlyargs]


def expression(node):
    kind = type(node).__name__
    if kind == "Constant":
        return constant(node)
    if kind == "Name":
        return {"type": "name", "name": node.id}
    if kind == "Attribute":
        return {"type": "member", "of": expression(node.value), "name": node.attr}
    if kind == "Call":
        return {
            "type": "call",
            "of": expression(node.func),
            "arguments": [expression(each) for each in node.args],
            "named": {each.arg or "**": expression(each.value) for each in node.keywords},
            "line": node.lineno,
        }
    if kind == "JoinedStr":
        return {"type": "join", "parts": [expression(each) for each in node.values]}
    if kind in ("FormattedValue", "Await", "Starred", "YieldFrom", "NamedExpr"):
        return expression(node.value)
    if kind == "BinOp":
        return operation(node)
    if kind == "Subscript":
        return subscript(node)
    if kind in ("List", "Tuple", "Set"):
        return {"type": "list", "items": [expression(each) for each in node.elts]}
    if kind == "Dict":
        return record(node)
    if kind == "Lambda":
        body = [{"type": "return", "value": expression(node.body)}]
        return {"type": "function", "parameters": parameters(node.args), "body": body}
    if kind in ("ListComp", "GeneratorExp", "SetComp"):
        return comprehension(node.generators, node.elt)
    if kind == "UnaryOp" and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return constant(ast.Constant(-node.operand.value)) if is_number(node.operand.value) else several(node)
    return several(node)


def several(node):
    parts = []
    for child in children(node):
        if isinstance(child, ast.expr):
            parts.append(expression(child))
        elif isinstance(child, ast.comprehension):
            parts.append(expression(child.iter))
    return {"type": "several", "parts": parts}


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def constant(node):
    value = node.value
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if isinstance(value, str):
        text = {"type": "text", "text": value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")}
        return dict(text, line=node.lineno) if len(value) >= LONG else text
    if is_number(value) and abs(value) < 2**53 and value == value:
        return {"type": "number", "number": value}
    return {"type": "name", "name": repr(value)} if value in (True, False, None) else {"type": "several", "parts": []}


def operation(node):
    if isinstance(node.op, ast.Add):
        return {"type": "join", "parts": [expression(node.left), expression(node.right)]}
    if isinstance(node.op, ast.Div):
        return call("__path__", [expression(node.left), expression(node.right)], node.lineno)
    if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
        values = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        return call("__format__", [expression(node.left)] + [expression(each) for each in values], node.lineno)
    return several(node)


def subscript(node):
    key = node.slice
    if type(key).__name__ == "Index":  # before Python 3.9
        key = key.value
    if isinstance(key, ast.Slice):
        backwards = isinstance(key.step, ast.UnaryOp) and key.lower is None and key.upper is None
        return call("__reversed__" if backwards else "__part__", [expression(node.value)], node.lineno)
    return {"type": "item", "of": expression(node.value), "key": expression(key)}


def record(node):
    entries = []
    for key, value in zip(node.keys, node.values):
        name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else "?"
        entries.append([name, expression(value)])
    return {"type": "record", "entries": entries}


def comprehension(generators, value):
    made = expression(value)
    for each in reversed(generators):
        made = {"type": "each", "names": names_in(each.target), "of": expression(each.iter), "value": made}
    return made


def call(name, arguments, line):
    return {"type": "call", "of": {"type": "name", "name": name}, "arguments": arguments, "named": {}, "line": line}


main()
