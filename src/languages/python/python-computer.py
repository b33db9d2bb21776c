"""`computer` as code in a Python session sees it: each call goes to the host and comes back as a value, an exception or
a stream. Loaded by the driver when somebody first uses it; `driver` is the driver's own module.
"""

import builtins
import importlib.machinery
import inspect
import itertools
import json
import os
import queue
import sys
import types

LARGEST = 32 << 20
MORE_AFTER = 32  # items of a stream between two signs that there is room for more

numbers = itertools.count(1)
wait_in_pieces = 0.2 if os.name == "nt" else None  # where Ctrl-C does not wake a waiting thread


class ComputerError(Exception):
    """The host could not do what was asked of it."""


ComputerError.__module__ = "computer"
EXCEPTIONS = {
    name: getattr(builtins, name)
    for name in (
        "FileExistsError FileNotFoundError IsADirectoryError LookupError NotADirectoryError OSError PermissionError "
        "TimeoutError TypeError ValueError"
    ).split()
}


class Text(str):
    """Text that is shown as it reads when it is the last line of a block."""

    __slots__ = ()

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": str(self)}

    def __reduce__(self):
        return str, (str(self),)


# --- one call ---------------------------------------------------------------------------------------------------


def begin(module, name, args, kwargs, deliver):
    """Sends the call; what comes back goes to `deliver`, from the thread that hears the host."""
    if os.getpid() != driver.channel.pid:
        raise ComputerError("A child process cannot use computer: call it from the session itself.")
    number = next(numbers)
    event = {"op": "call", "id": number, "module": module, "name": name, "args": args, "kwargs": kwargs, "cwd": folder()}
    line = json.dumps(event, default=plain, allow_nan=False).encode("ascii") + b"\n"
    if len(line) > LARGEST:
        raise ValueError("What was passed is too large: %d MB, and %d MB is the most." % (len(line) >> 20, LARGEST >> 20))
    driver.calls[number] = deliver
    try:
        write(line)
    except BaseException:
        take_back(number)
        raise
    return number


def write(line):
    channel = driver.channel
    with channel.sending:
        channel.write_all(channel.events_fd, line)


def take_back(number):
    """Nobody waits for this call any more: the host stops working on it."""
    if driver.calls.pop(number, None) is not None and os.getpid() == driver.channel.pid:
        # An interrupt may have cut a line short, so this begins on one of its own.
        write(b'\n{"op": "cancel", "id": %d}\n' % number)


def folder():
    try:
        return os.getcwd()
    except OSError:
        return None


def plain(value):
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (set, frozenset)):
        return list(value)
    item = getattr(value, "item", None)  # a number of numpy's
    if callable(item) and getattr(value, "ndim", None) == 0:
        return item()
    raise TypeError("computer takes text, numbers, lists and dictionaries, not %s" % type(value).__name__)


def outcome(command):
    error = command.get("error")
    if error is None:
        value = command.get("value")
        return Text(value) if isinstance(value, str) else value
    kind = EXCEPTIONS.get(error["name"], ComputerError)
    raise kind(error["message"])


def show_note(command):
    sys.stderr.write("[%s]\n" % command["text"])


# --- from threads and plain code --------------------------------------------------------------------------------


def get(box):
    if wait_in_pieces is None:
        return box.get()
    while True:
        try:
            return box.get(timeout=wait_in_pieces)
        except queue.Empty:
            pass


def call(module, name, args, kwargs):
    box = queue.SimpleQueue()
    number = begin(module, name, args, kwargs, box.put)
    waiting = True
    try:
        while True:
            command = get(box)
            if command["op"] == "note":
                show_note(command)
                continue
            waiting = False
            if command["op"] == "stream":
                return Stream(number, box)
            driver.calls.pop(number, None)
            return outcome(command)
    finally:
        if waiting:
            take_back(number)


class Stream:
    """What the host sends piece by piece. Leaving it early stops the host's work."""

    def __init__(self, number, box):
        self.number, self.box, self.taken, self.over = number, box, 0, False

    def __iter__(self):
        return self

    def __next__(self):
        if self.over:
            raise StopIteration
        try:
            command = get(self.box)
            while command["op"] == "note":
                show_note(command)
                command = get(self.box)
        except BaseException:
            self.close()
            raise
        return self.take(command, StopIteration)

    def take(self, command, end):
        if command["op"] != "item":
            self.over = True
            driver.calls.pop(self.number, None)
            outcome(command)
            raise end
        self.taken += 1
        if self.taken % MORE_AFTER == 0:
            write(b'{"op": "more", "id": %d, "count": %d}\n' % (self.number, MORE_AFTER))
        return command["value"]

    def close(self):
        if not self.over:
            self.over = True
            take_back(self.number)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()


# --- from asyncio -----------------------------------------------------------------------------------------------


async def call_async(module, name, args, kwargs):
    import asyncio

    loop = asyncio.get_running_loop()
    box = asyncio.Queue()
    number = begin(module, name, args, kwargs, lambda command: loop.call_soon_threadsafe(box.put_nowait, command))
    waiting = True
    try:
        while True:
            command = await box.get()
            if command["op"] == "note":
                show_note(command)
                continue
            waiting = False
            if command["op"] == "stream":
                return AsyncStream(number, box)
            driver.calls.pop(number, None)
            return outcome(command)
    finally:
        if waiting:
            take_back(number)


class AsyncStream(Stream):
    __iter__ = __next__ = None

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.over:
            raise StopAsyncIteration
        try:
            command = await self.box.get()
            while command["op"] == "note":
                show_note(command)
                command = await self.box.get()
        except BaseException:
            self.close()
            raise
        return self.take(command, StopAsyncIteration)

    async def aclose(self):
        self.close()


# --- the names under `computer` -----------------------------------------------------------------------------------


def describe():
    return {entry["name"]: entry for entry in call("help", "modules", [], {})}


def function(make_call, module, about):
    name = about["name"]

    def caller(*args, **kwargs):
        return make_call(module, name, list(args), kwargs)

    caller.__name__ = name or module
    caller.__qualname__ = "computer.%s" % ".".join(part for part in (module, name) if part)
    caller.__module__ = "computer"
    caller.__doc__ = about["help"]
    kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    try:
        caller.__signature__ = inspect.Signature(
            [inspect.Parameter(each["name"], kind, default=each.get("default", empty)) for each in about["parameters"]]
        )
    except ValueError:
        pass  # a name that Python keeps for itself: the help text has to do
    return caller


class Names(types.ModuleType):
    """A module whose names the host knows; they are asked for when first needed, and again when one is missing."""

    def __init__(self, name, make_call):
        super().__init__(name)
        self.__path__ = []
        self._call = make_call

    def _refresh(self):
        raise NotImplementedError

    def __getattr__(self, name):
        if not name.startswith("_"):
            self._refresh()
            if name in self.__dict__:
                return self.__dict__[name]
        where = self.__name__
        raise AttributeError("%s has no %r. computer.help() lists what there is." % (where, name))

    def __dir__(self):
        self._refresh()
        return sorted(name for name in self.__dict__ if not name.startswith("_"))

    def __repr__(self):
        return "%s: %s" % (self.__name__, self.__doc__)


class Computer(Names):
    def _refresh(self):
        for name, about in describe().items():
            if name in self.__dict__:
                continue
            alone = next((each for each in about["functions"] if each["name"] == ""), None)
            self.__dict__[name] = function(self._call, name, alone) if alone else Module(name, about, self._call)


class Module(Names):
    def __init__(self, name, about, make_call):
        super().__init__("computer." + name, make_call)
        self.__doc__ = about["help"]
        for each in about["functions"]:
            self.__dict__[each["name"]] = function(make_call, name, each)

    def _refresh(self):
        pass


computer = Computer("computer", call)
computer.__doc__ = "what code here may ask of the host; computer.help() lists it"
computer.ComputerError = ComputerError
computer.aio = Computer("computer.aio", call_async)
computer.aio.__doc__ = "the same functions for async code: await computer.aio.files.read(path)"


# --- `import computer` --------------------------------------------------------------------------------------------


class Loader:
    def __init__(self, module):
        self.module = module

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        pass


def find_spec(name):
    """Ours for `computer` and what is in it, unless a package of the person's own has that name."""
    if name == "computer":
        found = computer
    elif sys.modules.get("computer") is computer:
        found = computer
        for part in name.split(".")[1:]:
            found = getattr(found, part, None)
    else:
        found = None
    if not isinstance(found, Names):
        return None
    return importlib.machinery.ModuleSpec(name, Loader(found), is_package=True)
