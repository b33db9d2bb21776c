"""Puts right what a copy of the process has in common with the process it was copied from, and says what could not be."""

import os
import socket
import stat
import sys


def notes(threads):
    """Sentences about what is not as it was."""
    made = []
    if threads:
        made.append("Threads that were running have ended: %s." % some(threads))
    if driver.loop is not None and not driver.loop.is_closed():
        tasks = driver.attempt(lambda: len(sys.modules["asyncio"].all_tasks(driver.loop)))
        try:
            mend(driver.loop)
        except Exception:
            driver.loop = None
            if tasks:
                made.append("Background tasks of asyncio have ended.")
    processes = driver.attempt(children) or []
    if processes:
        text = "Processes that it had started run on, but it can no longer wait for them: %s."
        made.append(text % some(["%d" % each for each in processes]))
    if driver.attempt(has_connections):
        made.append("Network connections that were open may be broken: the block had the same ones.")
    return made


def some(names):
    return ", ".join(names) if len(names) < 6 else "%s and %d more" % (", ".join(names[:5]), len(names) - 5)


def mend(loop):
    """The loop waits on something that both processes have; it gets its own. Its tasks go on."""
    shared = loop._selector
    own = type(shared)()
    for key in list(shared.get_map().values()):
        driver.attempt(lambda: own.register(key.fileobj, key.events, key.data))
    loop._selector = own
    shared.close()
    loop._default_executor = None  # its threads have ended


def children():
    """Processes that values of the session stand for."""
    found = set()
    subprocess = sys.modules.get("subprocess")
    if subprocess is not None:
        import gc

        kind = subprocess.Popen
        found.update(each.pid for each in gc.get_objects() if issubclass(type(each), kind) and each.returncode is None)
    if "multiprocessing.process" in sys.modules:
        found.update(each.pid for each in sys.modules["multiprocessing.process"]._children)
    return sorted(pid for pid in found if isinstance(pid, int) and is_running(pid))


def is_running(pid):
    try:
        os.kill(pid, 0)
        return True
    except OSError:
        return False


def has_connections():
    for fd in driver.companion("hold").open_descriptors():
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                with socket.socket(fileno=os.dup(fd)) as each:
                    if each.family in (socket.AF_INET, socket.AF_INET6) and each.getpeername():
                        return True
        except OSError:
            pass  # listening, or not open any more
    return False
