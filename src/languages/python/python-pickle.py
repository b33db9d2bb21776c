"""Pickles values of a session so that another process of the same Python can take them back: functions, lambdas and classes made in
blocks by what they are made of, modules by name, and what another name of the session stands for by that name.
"""

import importlib
import io
import marshal
import pickle
import sys
import types

ATOMS = frozenset((int, float, complex, bool, str, bytes, type(None)))
OF_EVERY_CLASS = frozenset(("__dict__", "__weakref__", "__module__", "__qualname__", "__slots__", "_abc_impl"))


class TooBig(Exception):
    """The value needs more room than one may have."""


class Bounded(io.BytesIO):
    def __init__(self, most):
        super().__init__()
        self.most = most

    def write(self, data):
        if self.tell() + memoryview(data).nbytes > self.most:
            raise TooBig()
        return super().write(data)


class Writer(pickle.Pickler):
    """`named` has the names by the identity of their values; those in `own` are written here, all others are only named."""

    def __init__(self, file, named, own, hidden):
        super().__init__(file, protocol=5)
        self.named, self.own, self.hidden = named, own, hidden
        self.needs = set()

    def persistent_id(self, value):
        kind = type(value)
        if kind in ATOMS:
            return None
        if kind is types.ModuleType:
            return ("module", value.__name__) if sys.modules.get(value.__name__) is value else None
        name = self.named.get(id(value))
        if name is None and (kind is types.CellType or isinstance(value, type) and is_ours(value)):
            name = self.hidden(value)  # two functions may share a variable, two values a class that has no name
        if name is None or name in self.own:
            return None
        self.needs.add(name)
        return ("name", name)

    def reducer_override(self, value):
        kind = type(value)
        if kind is types.FunctionType:
            return NotImplemented if is_importable(value) else parts_of_function(value)
        if isinstance(value, type):
            return parts_of_class(value, self.needs) if is_ours(value) else NotImplemented
        if kind is types.CodeType:
            return read_code, (marshal.dumps(value),)
        if kind is types.CellType:
            return make_cell, (), cell_content(value), None, None, fill_cell
        if kind is property:
            return property, (value.fget, value.fset, value.fdel, value.__doc__)
        if kind in (staticmethod, classmethod):
            return kind, (value.__func__,)
        if kind is types.MappingProxyType:
            return make_view, (dict(value),)
        if kind.__name__ == "TypeVar" and kind.__module__ == "typing" and value.__module__ == "__main__":
            how = value.__bound__, value.__covariant__, value.__contravariant__
            return make_variable, (value.__name__, value.__constraints__) + how
        return NotImplemented


def write(values, named, own, most, hidden):
    """The bytes that stand for some values, and the other names that are needed to read them."""
    file = Bounded(most)
    writer = Writer(file, named, frozenset(own), hidden)
    writer.dump(values)
    return file.getvalue(), writer.needs


class Missing(Exception):
    """Another value, which this one holds, is not there."""


class Reader(pickle.Unpickler):
    def __init__(self, data, values):
        super().__init__(io.BytesIO(data))
        self.values = values

    def persistent_load(self, place):
        kind, name = place
        if kind == "module":
            return importlib.import_module(name)
        if name not in self.values:
            raise Missing(name)
        return self.values[name]


# --- functions ----------------------------------------------------------------------------------------------------


def is_importable(function):
    """Whether another process finds it by its name in a module."""
    module = sys.modules.get(function.__module__)
    if module is None or module is driver.user_module:
        return False
    found = module
    for part in function.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is function


def parts_of_function(function):
    if function.__globals__ is driver.namespace:
        module = "__main__"
    else:
        module = function.__globals__.get("__name__")
        if getattr(sys.modules.get(module), "__dict__", None) is not function.__globals__:
            raise pickle.PicklingError("a function whose module cannot be found")
    state = {
        "__defaults__": function.__defaults__,
        "__kwdefaults__": function.__kwdefaults__,
        "__qualname__": function.__qualname__,
        "__module__": function.__module__,
        "__doc__": function.__doc__,
        "__dict__": function.__dict__,
        "__annotations__": driver.attempt(lambda: function.__annotations__) or {},
    }
    return make_function, (function.__code__, module, function.__name__, function.__closure__), state, None, None, dress


def make_function(code, module, name, closure):
    names = driver.namespace if module == "__main__" else importlib.import_module(module).__dict__
    return types.FunctionType(code, names, name, None, closure)


def dress(function, state):
    for name, value in state.items():
        if name == "__dict__":
            function.__dict__.update(value)
        else:
            setattr(function, name, value)


renaming = None  # while values are read: what the blocks of the process that wrote them are called here


def read_code(data):
    code = marshal.loads(data)
    return code if renaming is None else renamed(code)


def renamed(code):
    inner = tuple(renamed(each) if isinstance(each, types.CodeType) else each for each in code.co_consts)
    return code.replace(co_filename=renaming(code.co_filename), co_consts=inner)


def make_cell():
    return types.CellType()


def make_view(values):
    return types.MappingProxyType(values)


def cell_content(cell):
    try:
        return (cell.cell_contents,)
    except ValueError:
        return ()


def fill_cell(cell, content):
    if content:
        cell.cell_contents = content[0]


# --- classes ------------------------------------------------------------------------------------------------------


def is_ours(kind):
    return getattr(kind, "__module__", None) == "__main__" and getattr(kind, "__flags__", 0) & 1 << 9  # made by a class statement


def parts_of_class(kind, needs):
    """By what it is made of; where more than `type` has made it (a decorator, a metaclass), by its statement."""
    if kind.__bases__ == (tuple,) and hasattr(kind, "_fields") and hasattr(kind, "_make"):
        defaults = tuple(getattr(kind, "_field_defaults", {}).values())
        own = {name: value for name, value in kind.__dict__.items() if is_method(value) and not is_of_tuple(value)}
        return make_tuple, (kind.__name__, kind._fields, defaults), own, None, None, fill_class
    plain = type(kind) is type or type(kind).__name__ == "ABCMeta" and type(kind).__module__ == "abc"
    source, node = driver.companion("blocks").class_source(kind.__qualname__)
    if source is not None and (not plain or node.decorator_list):
        needs.update(driver.companion("blocks").facts(source).read & set(driver.namespace) - {kind.__name__})
        return make_from_source, (source, kind.__name__)
    if not plain:
        raise pickle.PicklingError("a class that is made by another class")
    slots = kind.__dict__.get("__slots__", ())
    slots = (slots,) if isinstance(slots, str) else tuple(slots)
    first = {"__module__": "__main__", "__qualname__": kind.__qualname__}
    if "__slots__" in kind.__dict__:
        first["__slots__"] = slots
    if "__orig_bases__" in kind.__dict__:
        first["__orig_bases__"] = kind.__dict__["__orig_bases__"]
    state = {name: value for name, value in kind.__dict__.items() if name not in OF_EVERY_CLASS and type(value) is not types.MemberDescriptorType}
    return make_class, (type(kind), kind.__name__, kind.__bases__, first), state, None, None, fill_class


def is_method(value):
    return isinstance(value, (types.FunctionType, property, classmethod, staticmethod))


def is_of_tuple(value):
    """What namedtuple itself puts into each class."""
    function = getattr(value, "__func__", getattr(value, "fget", value))
    return getattr(function, "__globals__", None) is not driver.namespace


def make_class(maker, name, bases, first):
    return maker(name, bases, dict(first))


def fill_class(kind, state):
    for name, value in state.items():
        setattr(kind, name, value)


def make_tuple(name, fields, defaults):
    import collections

    return collections.namedtuple(name, fields, defaults=defaults, module="__main__")


def make_from_source(source, name):
    """Runs a class statement again. Its name keeps what it has."""
    missing = object()
    before = driver.namespace.get(name, missing)
    place = "<earlier block: class %s>" % name
    driver.remember_source(source, place)
    try:
        exec(compile(source, place, "exec", dont_inherit=True), driver.namespace)
        return driver.namespace[name]
    finally:
        if before is missing:
            driver.namespace.pop(name, None)
        else:
            driver.namespace[name] = before


def make_variable(name, constraints, bound, covariant, contravariant):
    import typing

    made = typing.TypeVar(name, *constraints, bound=bound, covariant=covariant, contravariant=contravariant)
    made.__module__ = "__main__"
    return made
