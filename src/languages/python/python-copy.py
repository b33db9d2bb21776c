"""A copy of the process that is nobody's child: `os.wait()` in a block does not know it."""

import os
import signal

MOST_COPIED = 4_000_000_000  # bytes of memory of a process that is still copied

making = False  # while the process is forked for a copy, and not by a block
middle = None  # the process between us and the newest copy, until it is gone


def possible():
    """Whoever waits for children of their own would hear of ours."""
    if not hasattr(os, "fork") or (driver.memory() or 0) > MOST_COPIED:
        return False
    return signal.getsignal(signal.SIGCHLD) in (signal.SIG_DFL, signal.SIG_IGN, None)


def make(apart=False):
    """True in the copy; `apart`: in a group of its own, so that what ends the process leaves it alone. Here, `reap` is to be called
    before a block runs.
    """
    global making, middle
    import warnings

    making = True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # threads do not come along; none of them is needed
        middle = os.fork()
    if middle:
        making = False
        return False
    try:
        driver.channel.silent = True
        if apart:
            os.setpgid(0, 0)
        copied = os.fork() == 0
    except BaseException:
        os._exit(1)
    if not copied:
        os._exit(0)
    making = False
    return True


def reap():
    """False where there is no copy after all."""
    global middle
    child, middle = middle, None
    for _ in range(2000):
        try:
            ended, status = os.waitpid(child, os.WNOHANG)
        except ChildProcessError:
            return True
        if ended:
            return status == 0
        driver.pause(0.0005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False
