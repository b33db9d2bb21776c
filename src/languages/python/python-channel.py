"""What goes to the host and comes from it: events on descriptor 4, commands on descriptor 3, and the three streams of the process.

An event that must keep its place in the output carries a mark: the same mark is written to both streams first.
"""

import io
import json
import os
import signal
import sys
import threading

FLUSH_EVERY = 0.03
CHILD = frozenset(("os.system", "subprocess.Popen", "os.posix_spawn", "os.exec"))
REACHING = frozenset(("socket.connect", "socket.gethostbyname", "socket.sendmsg", "socket.sendto"))

commands_fd, events_fd = 3, 4
mark_fds = (os.dup(1), os.dup(2))  # our own copies: a block may close or redirect 1 and 2
for fd in (commands_fd, events_fd, *mark_fds):
    os.set_inheritable(fd, False)

pid = os.getpid()
group = os.getpgrp() if hasattr(os, "getpgrp") and os.getpgrp() == pid else None  # what ends with us
sending = threading.RLock()  # held while something is told
printing = threading.RLock()  # held while something is handed to the system
marks = 0
nonce = ""
lookups_watched = False
last_line = 0  # of the block that runs, as it was told
silent = False  # in a copy of the process, which saves values: whatever it prints is nobody's


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def send(event, place=False):
    """Sends one event; with `place`, it keeps its place between the lines printed before and after it."""
    global marks
    if os.getpid() != pid:
        return  # a forked child has no voice here
    with sending:
        if place:
            flush()
            marks += 1
            event["mark"] = marks
            mark = ("\x1e%s:%d\x1e" % (nonce, marks)).encode()
            for fd in mark_fds:
                write_all(fd, mark)
        write_all(events_fd, json.dumps(event).encode("utf-8", "backslashreplace") + b"\n")


def command_lines():
    return os.fdopen(commands_fd, "rb", closefd=False)


def end():
    """The host is gone, and so are we, with everything that was started here."""
    if group is not None:
        driver.attempt(lambda: os.killpg(group, signal.SIGKILL))
    os._exit(1)


# --- the streams ------------------------------------------------------------------------------------------------


class Output(io.BufferedWriter):
    """A copy of the process never finds it in the middle of writing, which would go on there for ever."""

    def write(self, data):
        with printing:
            return super().write(data)

    def flush(self):
        with printing:
            super().flush()


class AskingInput(io.TextIOBase):
    """sys.stdin: every line read from it is asked of the person."""

    encoding = "utf-8"
    errors = "strict"

    def readable(self):
        return True

    def fileno(self):
        return 0

    def readline(self, size=-1):
        return driver.companion("asking").line()

    def read(self, size=-1):
        return self.readline()


def open_streams():
    def writer(fd, line_buffering):
        raw = io.FileIO(fd, "w", closefd=False)
        buffered = Output(raw, 1 << 16)
        return io.TextIOWrapper(
            buffered, encoding="utf-8", errors="surrogateescape", newline="\n", line_buffering=line_buffering
        )

    sys.stdout = sys.__stdout__ = writer(1, False)
    sys.stderr = sys.__stderr__ = writer(2, True)
    sys.stdin = sys.__stdin__ = AskingInput()


def flush():
    if silent:
        return
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


# --- while a block runs -----------------------------------------------------------------------------------------


def watch():
    """Every few milliseconds: hands over what was printed, and says which line runs. Costs a loop nothing."""
    global last_line
    while True:
        driver.busy.wait(0.25)  # threads may print between blocks too
        driver.pause(FLUSH_EVERY)
        flush()
        name = driver.running
        if name is None:
            continue
        frame = sys._current_frames().get(driver.main_thread.ident)
        line = 0
        while frame is not None:
            if frame.f_code.co_filename == name and frame.f_code.co_name == "<module>":
                line = frame.f_lineno
            frame = frame.f_back
        del frame
        if line and line != last_line and name == driver.running:
            last_line = line
            send({"op": "line", "line": line})


def audited(event, arguments):
    """What was printed so far comes before what a child process prints; and hosts that are reached are noted."""
    global lookups_watched
    if event == "import":
        if not lookups_watched and "_socket" in sys.modules:
            lookups_watched = True
            driver.attempt(lambda: driver.companion("hosts").watch_lookups())
    elif event in CHILD:
        flush()
    elif event in REACHING:
        driver.attempt(lambda: driver.companion("hosts").heard(event, arguments))


def hosts():
    module = sys.modules.get("interpreter_hosts")
    return module.take() if module is not None and module.reached else None
