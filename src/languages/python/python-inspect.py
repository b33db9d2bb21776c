"""Says which names a Python session has and how a half-written one could go on. Loaded by the driver when somebody first
asks. Runs beside the blocks, in a thread of its own, so it calls as little code of the person's as it can.
"""

import builtins
import itertools
import keyword
import re
import sys
import types

LONGEST = 100
MOST_ITEMS = 5
MOST_NAMES = 1000
IPYTHON = {"In", "Out", "exit", "quit", "get_ipython"}
CONTAINERS = (str, bytes, bytearray, list, tuple, dict, set, frozenset, range)
LIBRARIES = {"numpy", "pandas", "polars", "pyarrow", "scipy", "torch", "xarray", "jax", "jaxlib", "tensorflow", "geopandas"}


def answer(command):
    return variables() if command["op"] == "inspect" else complete(command["code"], command["cursor"])


# --- variables --------------------------------------------------------------------------------------------------


def variables():
    found = []
    for name, value in list(driver.namespace.items()):
        if name.startswith("_") or name in IPYTHON or isinstance(value, types.ModuleType):
            continue
        if value is getattr(builtins, name, driver):
            continue  # ours, not the person's
        entry = {"name": name, "type": type_name(value)}
        for key, make in (("size", size), ("preview", preview)):
            made = attempt(make, value)
            if made:
                entry[key] = made
        found.append(entry)
        if len(found) == MOST_NAMES:
            break
    return found


def attempt(make, value):
    try:
        return make(value)
    except Exception:
        return None


def type_name(value):
    kind = type(value)
    module = kind.__module__ if isinstance(kind.__module__, str) else ""
    root = module.split(".")[0]
    return kind.__name__ if root in ("builtins", "__main__", "") else "%s.%s" % (root, kind.__name__)


def from_library(value):
    return str(type(value).__module__).split(".")[0] in LIBRARIES


def size(value):
    if from_library(value):
        shape = getattr(value, "shape", None)
        if isinstance(shape, tuple) and shape:
            return " × ".join(str(int(each)) for each in shape)
        return str(len(value)) if shape is None and hasattr(type(value), "__len__") else None
    for base in CONTAINERS:
        if isinstance(value, base):
            return str(base.__len__(value))
    return None


def preview(value, depth=2):
    kind = type(value)
    if value is None or kind in (bool, float, complex):
        return repr(value)
    if kind is int:
        return repr(value) if value.bit_length() < 300 else "an integer of %d bits" % value.bit_length()
    if kind in (str, bytes, bytearray):
        return repr(value if len(value) <= LONGEST else value[:LONGEST]) + ("…" if len(value) > LONGEST else "")
    if kind in (list, tuple, set, frozenset, dict):
        return collection(value, kind, depth)
    if kind in (range, slice):
        return repr(value)
    if kind is types.FunctionType:
        code = value.__code__
        return "%s(%s)" % (code.co_name, ", ".join(code.co_varnames[: code.co_argcount]))
    if isinstance(value, type):
        return "class %s" % value.__name__
    if from_library(value):
        return library(value)
    return None


def collection(value, kind, depth):
    if depth == 0:
        return "…"
    first = list(itertools.islice(value.items() if kind is dict else value, MOST_ITEMS))
    inner = lambda item: attempt(lambda each: preview(each, depth - 1), item) or "<%s>" % type_name(item)
    parts = ["%s: %s" % (inner(key), inner(item)) for key, item in first] if kind is dict else [inner(item) for item in first]
    if len(value) > len(first):
        parts.append("…")
    opening, closing = {list: "[]", tuple: "()", dict: "{}"}.get(kind, "{}")
    return (opening + ", ".join(parts) + closing)[: LONGEST * 2]


def library(value):
    columns = getattr(value, "columns", None) if getattr(value, "ndim", 2) == 2 else None
    names = getattr(value, "column_names", columns)
    if names is not None and not callable(names):
        first = [str(name) for name in itertools.islice(names, 8)]
        return ", ".join(first) + (", …" if len(names) > len(first) else "")
    dtype = getattr(value, "dtype", getattr(value, "type", None))
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        return "%s %s" % (value.item(), dtype)
    return str(dtype) if dtype is not None else None


# --- completion -------------------------------------------------------------------------------------------------


def complete(code, cursor):
    """`cursor` counts UTF-16 units, as the host does."""
    before = code.encode("utf-16-le", "surrogatepass")[: cursor * 2].decode("utf-16-le", "replace")
    found = None
    if attempt(lambda name: sys.modules.get(name) or __import__(name), "jedi"):
        found = attempt(lambda text: with_jedi(code, text), before)
    matches, length = found or by_name(before)
    return {"matches": matches, "start": cursor - length, "end": cursor}


def with_jedi(code, before):
    import jedi

    lines = before.split("\n")
    script = jedi.Interpreter(code, [driver.namespace])
    made = script.complete(len(lines), len(lines[-1]))
    prefix = re.search(r"\w*$", before).group()
    matches = [each.name for each in made if each.name.startswith(prefix)]
    hidden = [name for name in matches if name.startswith("_")]
    matches = [name for name in matches if name not in hidden] + hidden
    return (matches, len(prefix)) if matches else None


def by_name(before):
    path = re.search(r"(?:[^\W\d]\w*\.)*\w*$", before).group().split(".")
    prefix = path.pop()
    if path:
        names = attributes(path)
    else:
        names = itertools.chain(list(driver.namespace), dir(builtins), keyword.kwlist)
    matches = sorted({name for name in names if name.startswith(prefix)}, key=lambda name: (name.startswith("_"), name))
    return matches, len(prefix)


def attributes(path):
    """The names in what a dotted path leads to, as far as no property has to be asked for it."""
    import inspect

    value = driver.namespace.get(path[0], getattr(builtins, path[0], None))
    for name in path[1:]:
        value = attempt(lambda each: inspect.getattr_static(each, name), value)
        if isinstance(value, property):
            return []
    return [] if value is None else attempt(dir, value) or []
