"""Keeps a copy of the process asleep while a block runs. When the process ends, because the block is taken back or because it has
crashed, the copy wakes up and is the session: everything in it is as it was before the block.

Only the one that is awake reads what the host sends. The copy sleeps on a pipe that closes when the process is gone; what is in the
host's channel by then was meant for the other, and is skipped up to the host's word to go on.
"""

import json
import os
import queue
import select
import signal
import stat
import sys
import threading

DROP, COME = b"d", b"c"

channel = driver.channel
between = driver.companion("between")
copy = driver.companion("copy")
kept = None  # the two pipes to the copy that sleeps: one to wake it, one that it answers on


def answer(command):
    value = between.answer(command, ANSWERS)
    if value is not None:
        between.reply(command, value)


# --- the one that is awake ----------------------------------------------------------------------------------------


def begin(command):
    global kept
    drop()
    safe = driver.companion("fork-safety")
    if channel.group is None or not copy.possible() or not safe.prepare():
        return {"held": False}
    wake, waking = os.pipe()
    hearing, telling = os.pipe()
    before = Before(command["token"])
    with channel.sending, channel.printing:  # nobody else is in the middle of telling or printing something
        copied = copy.make(apart=True)
        if copied:
            os.close(waking)
            os.close(hearing)
            or_end(lambda: sleep(before, wake, telling))
    if copied:
        or_end(lambda: take_over(before))
        return None
    os.close(wake)
    os.close(telling)
    kept = waking, hearing
    between.reply(command, {"held": True})  # the host goes on while we wait for the copy's parent
    if not copy.reap():
        let_go()
    return None


def drop(_=None):
    """The copy is ended. Returns when nothing of it is left, so that it holds no file open any more."""
    if kept is not None:
        tell(DROP)
        let_go()
    return {"dropped": True}


def back(_):
    """The copy takes over, and we are gone."""
    if kept is None or tell(COME) != COME:
        return {"problem": "There is nothing that the session could go back to."}
    channel.flush()
    os._exit(0)


def tell(order):
    """Says something to the copy; what it answers, or nothing when it is gone."""
    waking, hearing = kept
    try:
        os.write(waking, order)
        ready, _, _ = select.select([hearing], [], [], 2)
        return os.read(hearing, 1) if ready else None
    except OSError:
        return b""


def let_go():
    """In a process that a block forks, too: as long as one end is open, the copy takes us for alive."""
    global kept
    if kept is not None:
        for fd in kept:
            driver.attempt(lambda: os.close(fd))
        kept = None


os.register_at_fork(after_in_child=let_go)


# --- the copy -----------------------------------------------------------------------------------------------------


class Before:
    """What a copy cannot know by itself when it wakes up."""

    def __init__(self, token):
        self.token = token  # the host's word for this copy
        self.process = os.getpid()
        self.offsets = dict(offsets())  # of open files: the process and its copy move them together
        self.random = driver.attempt(lambda: sys.modules["random"].getstate())  # a copy would begin anew
        self.threads = [each.name for each in threading.enumerate() if is_theirs(each)]


def offsets():
    for fd in open_descriptors():
        try:
            if stat.S_ISREG(os.fstat(fd).st_mode):
                yield fd, os.lseek(fd, 0, os.SEEK_CUR)
        except OSError:
            pass  # it was the folder itself


def open_descriptors():
    return [int(name) for name in os.listdir("/dev/fd") if name.isdigit()]


def is_theirs(thread):
    return thread is not driver.main_thread and thread.name != driver.OWN and type(thread).__name__ != "HistorySavingThread"


def or_end(work):
    """A copy that cannot be the session is nobody's: it does not stay."""
    try:
        work()
    except BaseException:
        os._exit(1)


def sleep(before, wake, telling):
    """Returns when the process is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    poll = select.poll()
    poll.register(wake, select.POLLIN)
    poll.register(channel.commands_fd, 0)  # tells when the host is gone, and takes nothing of what it sends
    pause = None
    # A block may have closed the pipe by mistake: then the process still hears the host, and nobody else may.
    while pause is None or is_there(before.process):
        for fd, what in poll.poll(pause):
            if fd == channel.commands_fd:
                if what & select.POLLHUP:
                    channel.end()
                poll.unregister(fd)
                continue
            order = os.read(wake, 1)
            if order == DROP:
                os._exit(0)
            elif order == COME:
                join_group()
                os.write(telling, COME)
            else:
                poll.unregister(wake)
                pause = 2  # milliseconds
    os.close(wake)
    os.close(telling)


def is_there(process):
    try:
        os.kill(process, 0)
    except OSError:
        return False
    try:
        with open("/proc/%d/stat" % process) as about:
            return about.read().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return True  # there is no such file here


def join_group():
    """The group of the process, as long as there is one: signals go to it."""
    try:
        os.setpgid(0, channel.group)
    except OSError:
        channel.group = os.getpgrp()


def take_over(before):
    join_group()
    channel.silent = False
    channel.pid = os.getpid()
    driver.blocks = queue.SimpleQueue()
    driver.busy = threading.Event()
    driver.answers.clear()
    driver.calls.clear()
    for fd, offset in before.offsets.items():
        driver.attempt(lambda: os.lseek(fd, offset, os.SEEK_SET))
    if before.random is not None:
        driver.attempt(lambda: sys.modules["random"].setstate(before.random))
    if "interpreter_state" in sys.modules:
        sys.modules["interpreter_state"].known.clear()  # what was written since is not known here
    notes = driver.companion("wake").notes(before.threads)
    lines = channel.command_lines()
    channel.write_all(channel.events_fd, b"\n")  # whatever the other had begun to say
    channel.send({"op": "moved", "token": before.token, "pid": os.getpid(), "group": channel.group, "notes": notes})
    for line in lines:
        command = driver.attempt(lambda: json.loads(line))
        if isinstance(command, dict) and command.get("op") == "resume" and command.get("token") == before.token:
            break
    else:
        channel.end()
    channel.marks = command["marks"]
    os.register_at_fork(after_in_child=stay_silent)
    driver.begin(lines)
    channel.send({"op": "resumed"}, place=True)


def stay_silent():
    """The host hears that a session which has moved is gone when nobody has its channel any more: what a block forks lets go of it."""
    if copy.making:
        return
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (channel.commands_fd, channel.events_fd):
        os.dup2(null, fd, False)
    os.close(null)


ANSWERS = {"begin": begin, "drop": drop, "back": back}
