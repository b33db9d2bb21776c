"""Saves what is in the session, and brings it back in another process. Saving is done by a copy of the process, which is ended when
it takes too long; bringing back is done between blocks, where a block would run, so that it can be stopped in the same way.
"""

import json
import os
import signal
import sys
import threading
import time

LONGEST = 5.0  # seconds a copy may take

channel = driver.channel
between = driver.companion("between")
copy = driver.companion("copy")
in_copy = False
known = {}  # by name, what was saved of it last; ".seen" are the blocks that had run by then
stuck = {}  # by name, the value that a copy did not get past
generation = 0  # how often the session was brought back


def answer(command):
    value = between.answer(command, ANSWERS)
    if value is not None:
        between.reply(command, value)


def saved_by():
    return "%s %d.%d in %s" % (sys.implementation.name, *sys.version_info[:2], sys.prefix)


def bytecode():
    import importlib.util

    return importlib.util.MAGIC_NUMBER.hex()


# --- saving -------------------------------------------------------------------------------------------------------


def save(command):
    command["skip"] = list(stuck.items())
    if copy.possible():
        save_in_copy(command)
        return None  # the one who watches the copy answers
    with driver.companion("quiet").quiet():
        return told(driver.companion("keep").keep(command, known, lambda event: None))


def save_in_copy(command):
    reading, writing = os.pipe()
    if copy.make():
        try:
            be_copy(command, reading, writing)
        finally:
            os._exit(0)
    os.close(writing)
    copy.reap()
    threading.Thread(target=watch, args=(command, reading), name=driver.OWN, daemon=True).start()


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
    for fd in (0, 1, 2, channel.commands_fd, channel.events_fd, *channel.mark_fds):
        os.dup2(null, fd, False)
    sys.stdout = sys.stderr = open(os.devnull, "w")
    driver.attempt(lambda: os.nice(5))

    def tell(event):
        channel.write_all(writing, json.dumps(event).encode("utf-8", "backslashreplace") + b"\n")

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
    between.reply(command, value)


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


def restore(command):
    return driver.companion("back").restore(command)


def facts(command):
    return {"blocks": driver.companion("blocks").told(command["blocks"])}


ANSWERS = {"save": save, "restore": restore, "facts": facts}
