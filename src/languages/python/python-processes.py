"""Lets processes that multiprocessing starts afresh (spawn, forkserver) find what blocks have defined.

Such a process imports `__main__` from its file; a session has none. So what it needs to know travels with the order to
start: the session's modules, plain values, functions and classes, made again in the new process in that order.
"""

import linecache
import sys
import types

PLAIN = (int, float, complex, bool, str, bytes, type(None))
LARGEST = 100_000


def prepare(spawn):
    theirs = spawn.get_preparation_data

    def get_preparation_data(name):
        data = theirs(name)
        if sys.modules.get("__main__") is driver.user_module:
            data["session"] = Session(list(definitions()), list(sys.path))
        return data

    spawn.get_preparation_data = get_preparation_data


class Session:
    """Unpickled in the new process, this makes the names again there."""

    def __init__(self, parts, path):
        self.parts, self.path = parts, path

    def __reduce__(self):
        return exec, (MAKE, {"parts": self.parts, "path": self.path})


MAKE = """
import importlib, linecache, sys
sys.path[:] = path
names = sys.modules["__main__"].__dict__
for kind, name, what in parts:
    try:
        if kind == "module":
            names[name] = importlib.import_module(what)
        elif kind == "import":
            value = importlib.import_module(what[0])
            for part in what[1].split("."):
                value = getattr(value, part)
            names[name] = value
        elif kind == "value":
            names[name] = what
        else:
            source, file, line = what
            text = "\\n" * (line - 1) + source
            linecache.cache.setdefault(file, (len(text), None, text.splitlines(True), file))
            exec(compile(text, file, "exec"), names)
    except Exception:
        pass  # missed only by what needs it
"""


def definitions():
    """(kind, name, what) of everything that can be made again: modules and values first, then code in its order."""
    code = []
    for name, value in list(driver.namespace.items()):
        if name.startswith("__") or value is driver.display:
            continue
        if isinstance(value, types.ModuleType):
            yield "module", name, value.__name__
        elif isinstance(value, (type, types.FunctionType)):
            if value.__module__ == "__main__":
                found = source_of(value)
                if found:
                    code.append((found[3], found[2], ("code", name, found[:3])))
            elif value.__module__ and "<" not in value.__qualname__:
                yield "import", name, (value.__module__, value.__qualname__)
        elif is_plain(value):
            yield "value", name, value
    for _, _, part in sorted(code, key=lambda each: each[:2]):
        yield part


def is_plain(value, depth=0):
    if type(value) in PLAIN:
        return not isinstance(value, (str, bytes)) or len(value) < LARGEST
    if depth > 3 or type(value) not in (list, tuple, dict, set, frozenset) or len(value) > 1000:
        return False
    parts = list(value.items()) if isinstance(value, dict) else value
    return all(is_plain(part, depth + 1) for part in parts)


def source_of(value):
    """(source, file, line, order) of a function or class that a block defined at its top level."""
    import inspect
    import re
    import textwrap

    def find():
        if isinstance(value, types.FunctionType):
            file = value.__code__.co_filename
            lines, line = inspect.getsourcelines(value)
        else:
            file, lines, line = class_source(value)
        order = re.search(r"\d+", file)
        return textwrap.dedent("".join(lines)), file, line, int(order.group()) if order else 0

    found = driver.attempt(find)
    return found if found and found[1] in linecache.cache else None


def class_source(value):
    """Where a class was defined last: its methods know the block, or the newest block with that class does."""
    import ast

    for file in sorted((name for name in linecache.cache if name.startswith("<block")), key=number_in, reverse=True):
        lines = linecache.cache[file][2]
        for node in ast.parse("".join(lines)).body:
            if isinstance(node, ast.ClassDef) and node.name == value.__name__:
                first = min([node.lineno] + [each.lineno for each in node.decorator_list])
                return file, lines[first - 1 : node.end_lineno], first
    raise LookupError(value.__name__)


def number_in(name):
    digits = "".join(letter for letter in name if letter.isdigit())
    return int(digits or 0)
