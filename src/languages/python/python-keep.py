"""Writes the values of a session to files, as many as can be kept. Runs in a copy of the process that nobody waits for, where there
can be one: whatever a value does when it is written, the session does not feel it.
"""

import base64
import builtins
import hashlib
import os
import pickle
import re
import sys
import time
import types

INLINE = 1000  # bytes of a value that is told instead of written to a file
SLICE = 0.2  # seconds for values that no block has named since they were last written
PER_VALUE = 1.0  # seconds one value may take
SECRET_VARIABLE = re.compile(r"pass|secret|token|key|credential|auth", re.I)  # of the environment
IPYTHON = re.compile(r"(In|Out|exit|quit|get_ipython|_+|_error|_i+|_i?\d+|_[oid]h|_exit_code|__\w*__)$")
SECRET = re.compile(
    r"(password|passwd|passphrase|secret|credential|(api|access|private|auth)_?key|(^|_)(token|pwd|passw))s?$|_?auth_?token$", re.I
)
SECRET_WORDS = "secrets are not saved"

blocks = driver.companion("blocks")
pickling = driver.companion("pickle")
look = driver.companion("inspect")


class OutOfTime(BaseException):
    """One value took too long."""


def visible():
    """The names that blocks have made, with their values."""
    for name, value in list(driver.namespace.items()):
        if IPYTHON.match(name) or value is getattr(builtins, name, driver):
            continue
        yield name, value


def keep(request, known, tell):
    """Writes what has changed, and tells of each value before and after. `known` is what was told last time, by name."""
    pass_ = Pass(request, known, tell)
    pass_.run()
    return pass_.report()


class Pass:
    """One round over all names. An entry has the type and size of a value, and its bytes (`data` or `file`) or why there are none (`gone`)."""

    def __init__(self, request, known, tell):
        self.folder, self.most = request["folder"], request["most"]
        self.known, self.tell = known, tell
        self.values = dict(visible())
        self.modules = {name: value for name, value in self.values.items() if isinstance(value, types.ModuleType)}
        self.named = {}
        for name, value in self.values.items():
            if type(value) not in pickling.ATOMS and name not in self.modules:
                self.named.setdefault(id(value), name)
        self.entries = {}
        self.hidden_names = {}
        self.skip = dict(map(tuple, request.get("skip", ())))

    # --- one value after the other ------------------------------------------------------------------------------

    def run(self):
        started = time.monotonic()
        sources = blocks.sources()
        seen = set(self.known.get(".seen", ()))
        fresh = {name: code for name, code in sources.items() if name not in seen}
        touched = self.touched_by(fresh)
        self.sources, self.seen = sources, list(sources)
        self.made, self.imported = {}, set(self.known.get(".imported", ()))
        for name, code in fresh.items():
            self.made.update(blocks.facts_of(name, code).made)
            self.imported.update(blocks.facts_of(name, code).imported)
        todo = [name for name in self.values if name not in self.modules]
        todo.sort(key=lambda name: (not self.is_new(name, touched), self.known.get(name, {}).get("cost", 0)))
        while todo:
            name = todo.pop(0)
            old = self.known.get(name)
            if time.monotonic() - started > SLICE and not self.is_new(name, touched) and is_alone(old):
                self.entries[name] = dict(old, stale=True)
                continue
            self.tell({"begin": name})
            begun = time.monotonic()
            entry = self.entries[name] = self.write([name])
            entry["cost"] = round(time.monotonic() - begun, 4)
            todo += [each for each in self.hidden_names if each not in self.entries and each not in todo]
            self.tell({"end": name})
        self.join_rings()
        self.fit()
        self.lose_with_others()

    def is_new(self, name, touched):
        old, value = self.known.get(name), self.value_of(name)
        return old is None or name in touched or old["id"] != id(value) or old["type"] != look.type_name(value)

    def touched_by(self, fresh):
        """The names that these blocks may have changed: those in their code, in functions they call, and what those values hold."""
        named, todo = set(), set()
        for name, code in fresh.items():
            found = blocks.facts_of(name, code)
            todo |= found.written | found.read | found.changed
        while todo:
            name = todo.pop()
            if name in named:
                continue
            named.add(name)
            value = self.values.get(name)
            if isinstance(value, types.FunctionType):
                todo |= names_of(value.__code__)
            todo |= set(self.known.get(name, {}).get("needs", ()))
        return named

    def write(self, names):
        values = [self.value_of(name) for name in names]
        entry = dict(id=id(values[0]), type=look.type_name(values[0]))
        size = look.attempt(look.size, values[0])
        if size:
            entry["size"] = size
        try:
            self.refuse(names[0], values[0])
            with limit(PER_VALUE):
                data, needs = pickling.write(values, self.named, names, self.most["value"], self.hidden)
        except Refused as refused:
            entry["gone"] = str(refused)
        except pickling.TooBig:
            entry["gone"] = "too big: more than %s" % megabytes(self.most["value"])
        except (OutOfTime, KeyboardInterrupt):
            entry["gone"] = "saving it took too long"
        except MemoryError:
            entry["gone"] = "too big"
        except RecursionError:
            entry["gone"] = "it is nested too deeply to be saved"
        except BaseException as error:
            entry["gone"] = why(error)
        else:
            entry.update(self.put(data), needs=sorted(needs), names=names)
        return entry

    def refuse(self, name, value):
        if self.skip.get(name) == id(value):
            raise Refused("saving it took too long")
        if isinstance(value, (str, bytes)) and SECRET.search(name):
            raise Refused(SECRET_WORDS)
        size = room(value)
        if size is not None and size > self.most["value"]:
            raise Refused("too big: %s" % megabytes(size))

    def put(self, data):
        digest = hashlib.sha256(data).hexdigest()
        if len(data) <= INLINE:
            return {"bytes": len(data), "data": base64.b64encode(data).decode("ascii")}
        file = digest[:40] + ".value"
        path = os.path.join(self.folder, file)
        if not os.path.exists(path):
            draft = "%s.%d.new" % (path, os.getpid())
            fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                driver.channel.write_all(fd, data)
            finally:
                os.close(fd)
            os.replace(draft, path)
        return {"bytes": len(data), "file": file, "sha256": digest}

    def value_of(self, name):
        return self.hidden_names[name] if name in self.hidden_names else self.values[name]

    def hidden(self, value):
        """A name for what several values share without that it has one in the session."""
        name = ".%d" % (len(self.hidden_names) + 1)
        self.hidden_names[name] = value
        self.named[id(value)] = name
        return name

    # --- all of them together -----------------------------------------------------------------------------------

    def join_rings(self):
        """Values that hold each other are written together."""
        for ring in rings({name: entry.get("needs", ()) for name, entry in self.entries.items()}):
            self.tell({"begin": ring[0]})
            joined = self.write(ring)
            for name in ring:
                entry = self.entries[name]
                for key in ("data", "file", "sha256", "needs", "names"):
                    entry.pop(key, None)
                if "gone" in joined:
                    entry["gone"] = joined["gone"]
                else:
                    entry.update({key: joined[key] for key in ("data", "file", "sha256", "needs", "names") if key in joined})
                entry["bytes"] = joined.get("bytes", 0) // len(ring)
            self.tell({"end": ring[0]})

    def fit(self):
        """Leaves out the largest values until the others have room."""
        kept = sorted((entry.get("bytes", 0), name) for name, entry in self.entries.items() if "gone" not in entry)
        total = sum(size for size, _ in kept)
        while kept and total > self.most["total"]:
            size, name = kept.pop()
            total -= size
            self.lose(name, "too big: %s, and the room for saved values is used up" % megabytes(size))

    def lose_with_others(self):
        lost = True
        while lost:
            lost = False
            for name, entry in self.entries.items():
                missing = [each for each in entry.get("needs", ()) if "gone" in self.entries.get(each, {})]
                if "gone" not in entry and missing:
                    self.lose(name, "it holds %s, which cannot be saved" % missing[0] if missing[0][0] != "." else "cannot be saved")
                    lost = True

    def lose(self, name, reason):
        for each in self.entries[name].get("names", [name]):
            entry = self.entries[each]
            for key in ("data", "file", "sha256", "names"):
                entry.pop(key, None)
            entry["gone"] = reason

    def report(self):
        units, told = [], set()
        for name, entry in self.entries.items():
            if "gone" in entry or name in told:
                continue
            told.update(entry["names"])
            units.append({key: entry[key] for key in ("names", "needs", "data", "file", "sha256") if key in entry})
        for name, entry in self.entries.items():
            made = self.made.get(name) or self.known.get(name, {}).get("made")
            if made and entry.get("gone") != SECRET_WORDS:  # they may be in the statement
                entry["made"] = made
        environment, path, folder = driver.at_start
        here = driver.attempt(os.getcwd)
        changed = {name: value for name, value in os.environ.items() if environment.get(name) != value}
        secret = sorted(name for name in changed if SECRET_VARIABLE.search(name))
        return {
            "entries": self.entries,
            "seen": self.seen,
            "modules": {name: value.__name__ for name, value in self.modules.items()},
            "imported": sorted(self.imported),
            "units": units,
            "sources": self.sources_of_functions(),
            "cwd": None if here == folder else here,
            "environment": {name: value for name, value in changed.items() if name not in secret},
            "unset": sorted(set(environment) - set(os.environ)),
            "secret": secret,
            "path": [each for each in sys.path if each not in path],
        }

    def sources_of_functions(self):
        """The blocks whose functions are kept, for tracebacks and whoever wants to read them."""
        wanted = set()
        for value in list(self.values.values()) + list(self.hidden_names.values()):
            for each in [value, *getattr(value, "__dict__", {}).values()] if isinstance(value, type) else [value]:
                code = getattr(each, "__code__", None)
                if isinstance(code, types.CodeType):
                    wanted.add(code.co_filename)
        return {name: code for name, code in self.sources.items() if name in wanted}


def is_alone(entry):
    """Whether what was written last time can be read without what is written now."""
    return "gone" not in entry and len(entry["names"]) == 1 and not any(name.startswith(".") for name in entry["needs"])


class Refused(Exception):
    """Not saved, for a reason that is known beforehand."""


def names_of(code):
    found = set(code.co_names)
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            found |= names_of(each)
    return found


def room(value):
    """How many bytes a value takes, where that is cheap to know."""
    if isinstance(value, (str, bytes, bytearray)):
        return len(value)
    if look.from_library(value):
        size = getattr(value, "nbytes", None)
        if isinstance(size, int) and not callable(size):
            return size
        usage = getattr(value, "memory_usage", None)
        if callable(usage):
            used = driver.attempt(usage)
            return int(used.sum()) if hasattr(used, "sum") else used if isinstance(used, int) else None
        estimate = getattr(value, "estimated_size", None)
        return driver.attempt(estimate) if callable(estimate) else None
    return len(value) if isinstance(value, (list, tuple, dict, set, frozenset)) else None


def megabytes(size):
    return "%.1f GB" % (size / 1e9) if size >= 1e9 else "%.0f MB" % (size / 1e6) if size >= 1e6 else "%.0f kB" % (size / 1e3)


def why(error):
    if isinstance(error, (TypeError, pickle.PicklingError, AttributeError, NotImplementedError, ValueError)):
        return "cannot be saved"
    return "saving it failed: %s" % type(error).__name__


def rings(needs):
    """The groups of names that need each other, largest groups whole (Tarjan, without recursion)."""
    number, low, stack, on, found = {}, {}, [], set(), []
    for start in needs:
        if start in number:
            continue
        work = [(start, iter(needs[start]))]
        number[start] = low[start] = len(number)
        stack.append(start)
        on.add(start)
        while work:
            name, rest = work[-1]
            for other in rest:
                if other not in needs:
                    continue
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(needs[other])))
                    break
                if other in on:
                    low[name] = min(low[name], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[name])
                if low[name] == number[name]:
                    ring = []
                    while True:
                        each = stack.pop()
                        on.discard(each)
                        ring.append(each)
                        if each == name:
                            break
                    if len(ring) > 1:
                        found.append(sorted(ring))
    return found


class limit:
    """Ends what takes longer, by a signal in a process of our own, by an interrupt elsewhere."""

    def __init__(self, seconds):
        self.seconds = seconds

    def __enter__(self):
        if driver.companion("state").in_copy:
            import signal

            signal.setitimer(signal.ITIMER_REAL, self.seconds)
        else:
            import threading

            self.timer = threading.Timer(self.seconds, driver.interrupt)
            self.timer.daemon = True
            self.timer.start()

    def __exit__(self, *_):
        if driver.companion("state").in_copy:
            import signal

            signal.setitimer(signal.ITIMER_REAL, 0)
        else:
            self.timer.cancel()
