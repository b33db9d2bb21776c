"""Saves what is in the session, and brings it back in another process. Saving is done by a copy of the process, which is ended when
it takes too long; bringing back is done between blocks, where a block would run, so that it can be stopped in the same way.
"""

import base64
import contextlib
import io
import json
import os
import re
import signal
import sys
import threading
import time

LONGEST = 5.0  # seconds a copy may take
MOST_COPIED = 4_000_000_000  # bytes of memory of a process that is still copied
BLOCK = re.compile(r"<block (\d+)>$")

in_copy = False
known = {}  # by name, what was saved of it last; ".seen" are the blocks that had run by then
stuck = {}  # by name, the value that a copy did not get past
generation = 0  # how often the session was brought back


def answer(command):
    try:
        try:
            driver.running = driver.VIEWING
            signal.signal(signal.SIGINT, signal.default_int_handler)
            value = ANSWERS[command["do"]](command)
        finally:
            idle()
    except KeyboardInterrupt:
        value = {"problem": "It was stopped."}
    except BaseException as error:
        value = {"problem": "%s: %s" % (type(error).__name__, first_line(error))}
    idle()  # a second interrupt may have come in the middle of the first time
    if value is not None:
        reply(command, value)


def idle():
    signal.signal(signal.SIGINT, driver.while_idle)
    driver.running = None


def reply(command, value):
    driver.send({"op": "reply", "id": command["id"], "value": value})


def first_line(error):
    return (str(error).strip() or "no reason given").splitlines()[0][:200]


def saved_by():
    return "%s %d.%d in %s" % (sys.implementation.name, *sys.version_info[:2], sys.prefix)


def bytecode():
    import importlib.util

    return importlib.util.MAGIC_NUMBER.hex()


# --- saving -------------------------------------------------------------------------------------------------------


def save(command):
    command["skip"] = list(stuck.items())
    if can_be_copied():
        save_in_copy(command)
        return None  # the one who watches the copy answers
    with quiet():
        return told(driver.companion("keep").keep(command, known, lambda event: None))


def can_be_copied():
    """Whoever waits for children of their own would hear of ours."""
    if not hasattr(os, "fork") or (driver.memory() or 0) > MOST_COPIED:
        return False
    return signal.getsignal(signal.SIGCHLD) in (signal.SIG_DFL, signal.SIG_IGN, None)


def save_in_copy(command):
    import warnings

    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # threads do not come along; none of them is needed
        child = os.fork()
    if child == 0:
        try:
            driver.silent = True
            # A copy of the copy is nobody's child: `os.wait()` in a block does not know it.
            if os.fork() == 0:
                be_copy(command, reading, writing)
        finally:
            os._exit(0)
    os.close(writing)
    reap(child)
    threading.Thread(target=watch, args=(command, reading), daemon=True).start()


def reap(child):
    for _ in range(2000):
        try:
            if os.waitpid(child, os.WNOHANG)[0]:
                return
        except ChildProcessError:
            return
        driver.pause(0.0005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def be_copy(command, reading, writing):
    global in_copy
    import gc

    in_copy = True
    gc.disable()
    os.close(reading)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, out_of_time)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2, driver.commands_fd, driver.events_fd, *driver.mark_fds):
        os.dup2(null, fd, False)
    sys.stdout = sys.stderr = open(os.devnull, "w")
    driver.attempt(lambda: os.nice(5))

    def tell(event):
        driver.write_all(writing, json.dumps(event).encode("utf-8", "backslashreplace") + b"\n")

    tell({"pid": os.getpid()})
    tell({"done": driver.companion("keep").keep(command, known, tell)})


def out_of_time(*_):
    raise driver.companion("keep").OutOfTime()


def watch(command, reading):
    """Reads what the copy tells until it is done. One that got stuck is ended, and the value that it was at is left out from then on."""
    import select

    pid, at, report, rest = None, None, None, b""
    deadline = time.monotonic() + LONGEST
    while report is None:
        ready, _, _ = select.select([reading], [], [], max(0, deadline - time.monotonic()))
        data = os.read(reading, 1 << 16) if ready else b""
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for event in map(json.loads, lines):
            pid = event.get("pid", pid)
            at = event.get("begin", None if "end" in event else at)
            report = event.get("done")
    os.close(reading)
    if report is not None:
        value = driver.attempt(lambda: told(report)) or {"problem": "What was saved could not be told."}
    else:
        if pid is not None:
            driver.attempt(lambda: os.kill(pid, signal.SIGKILL))
        if at is not None:
            stuck[at] = id(driver.namespace.get(at))
        value = {"problem": "Saving did not come to its end.", "again": at is not None}
    driver.attempt(lambda: driver.companion("keep"))  # the next copy finds it loaded; there is none before we have answered
    reply(command, value)


def told(report):
    """What the host keeps: the names for people, and what is needed to bring them back."""
    entries = report.pop("entries")
    known.clear()
    known.update(entries)
    known[".seen"], known[".imported"] = report.pop("seen"), report["imported"]
    facts = ("type", "size", "gone", "stale", "made")
    names = [
        dict({key: entry[key] for key in facts if entry.get(key)}, name=name)
        for name, entry in entries.items()
        if not name.startswith(".")
    ]
    names += [{"name": name, "type": "module", "size": module} for name, module in report["modules"].items()]
    names += [{"name": name, "type": "environment variable", "gone": "secrets are not saved"} for name in report.pop("secret")]
    files = {unit["file"]: unit["sha256"] for unit in report["units"] if "file" in unit}
    size = sum(entry.get("bytes", 0) for entry in entries.values() if "gone" not in entry)
    details = dict(report, bytecode=bytecode(), generation=generation)
    return {"by": saved_by(), "names": names, "files": files, "bytes": size, "details": details}


# --- bringing back ------------------------------------------------------------------------------------------------


def restore(command):
    global generation
    details = command["details"]
    if command["by"] != saved_by() or details["bytecode"] != bytecode():
        return {"problem": "They were saved by %s, and this is %s." % (command["by"], saved_by())}
    generation = details["generation"] + 1
    blocks = driver.companion("blocks")
    later = [blocks.facts(code) for code in command["later"]]
    deleted = set().union(*(each.deleted - each.written for each in later)) if later else set()
    touched = set().union(*(each.written | each.changed for each in later)) if later else set()
    back = Back(command, details, deleted)
    with quiet():
        back.surroundings()
        try:
            back.modules()
            back.values()
        except KeyboardInterrupt:
            back.rest = "bringing it back took too long"
        back.leave_out_rest()
    known[".seen"], known[".imported"] = list(blocks.sources()), details["imported"]
    return {
        "back": sorted(back.bound),
        "gone": [{"name": name, "gone": reason} for name, reason in sorted(back.gone.items()) if not name.startswith(".")],
        "older": sorted((touched & back.bound) - set(details["modules"])),
        "notes": back.notes,
    }


class Back:
    def __init__(self, command, details, deleted):
        self.details, self.folder, self.deleted = details, command["folder"], deleted
        self.made = {entry["name"]: entry.get("made") for entry in command["names"]}
        self.loaded, self.gone, self.bound, self.notes = {}, {}, set(), []
        self.units = {name: unit for unit in details["units"] for name in unit["names"]}
        self.rest = "what it holds is not there"

    def surroundings(self):
        folder = self.details.get("cwd")
        if folder:
            try:
                os.chdir(folder)
            except OSError:
                self.notes.append("The folder %s is not there any more; it starts in %s." % (folder, os.getcwd()))
        os.environ.update(self.details["environment"])
        for name in self.details["unset"]:
            os.environ.pop(name, None)
        sys.path.extend(each for each in self.details["path"] if each not in sys.path)

    def modules(self):
        import importlib

        for name in self.details["imported"]:
            driver.attempt(lambda: importlib.import_module(name))
        for name, module in self.details["modules"].items():
            try:
                self.bind(name, importlib.import_module(module))
            except Exception as error:
                self.gone[name] = "module %s: %s" % (module, first_line(error))

    def values(self):
        pickling = driver.companion("pickle")
        pickling.renaming = self.renamed
        for name, code in self.details["sources"].items():
            driver.remember_source(code, self.renamed(name))
        try:
            for name in self.units:
                self.load(name)
        finally:
            pickling.renaming = None

    def renamed(self, name):
        """Blocks of this process have the same names as those of the other."""
        found = BLOCK.match(name)
        if not found:
            return name
        return "<earlier block %s>" % found.group(1) if generation == 1 else "<earlier block %s (%d)>" % (found.group(1), generation)

    def load(self, wanted):
        """A value after those that it needs."""
        todo = [wanted]
        while todo:
            name = todo[-1]
            unit = self.units.get(name)
            if unit is None or name in self.loaded or name in self.gone:
                todo.pop()
                continue
            first = [each for each in unit["needs"] if each in self.units and each not in self.loaded and each not in self.gone]
            if first and first[0] not in todo:
                todo.append(first[0])
                continue
            todo.pop()
            self.load_unit(unit)

    def load_unit(self, unit):
        pickling = driver.companion("pickle")
        try:
            data = self.read(unit)
            values = pickling.Reader(data, self.loaded).load()
        except KeyboardInterrupt:
            raise
        except pickling.Missing as error:
            self.gone.update(dict.fromkeys(unit["names"], "what it holds is not there" if str(error)[0] == "." else "it holds %s" % error))
        except Damaged as error:
            self.gone.update(dict.fromkeys(unit["names"], str(error)))
        except BaseException as error:
            reason = "it could not be read: %s: %s" % (type(error).__name__, first_line(error))
            self.gone.update(dict.fromkeys(unit["names"], reason))
        else:
            for name, value in zip(unit["names"], values):
                self.loaded[name] = value
                if not name.startswith("."):
                    self.bind(name, value)
                kind = driver.companion("inspect").type_name(value)
                known[name] = dict(unit, id=id(value), type=kind, made=self.made.get(name), bytes=len(data), cost=0)

    def read(self, unit):
        if "data" in unit:
            return base64.b64decode(unit["data"])
        import hashlib

        try:
            with open(os.path.join(self.folder, os.path.basename(unit["file"])), "rb") as file:
                data = file.read()
        except OSError:
            raise Damaged("its file is missing") from None
        if hashlib.sha256(data).hexdigest() != unit["sha256"]:
            raise Damaged("its file is damaged")
        return data

    def bind(self, name, value):
        if name not in self.deleted:
            driver.namespace[name] = value
            self.bound.add(name)

    def leave_out_rest(self):
        for name in list(self.units) + list(self.details["modules"]):
            if name not in self.bound and name not in self.gone and name not in self.deleted and not name.startswith("."):
                self.gone[name] = self.rest


class Damaged(Exception):
    """What was written is not there as it was written."""


def plan(command):
    return {"blocks": driver.companion("blocks").plan(command["blocks"], command.get("wanted"), command["there"], command["later"])}


@contextlib.contextmanager
def quiet():
    """Code of the person's runs; what it prints is not part of any block."""
    shown, driver.captured = driver.captured, []
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        driver.captured = shown


ANSWERS = {"save": save, "restore": restore, "plan": plan}
