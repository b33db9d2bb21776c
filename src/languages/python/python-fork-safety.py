"""Whether a copy of the process could go on by itself. Libraries with threads of their own wait for ever in a copy for threads that did
not come along: where they can be asked to end them before, they are; where they cannot, there is no copy.
"""

import os
import sys
import threading

# Each with the names that its threads have where the system tells them.
LEFT_BEHIND = {"polars": "polars-", "tensorflow": "", "jax": "", "grpc": "", "cv2": ""}
PAUSE = 1  # "soft": what was allocated stays

seen = -1  # how many modules there were when we last looked
libraries = []  # GNU's OpenMP, as often as packages bring it along


def prepare():
    """False when a copy would get stuck."""
    if any(name in sys.modules and has_threads(of) for name, of in LEFT_BEHIND.items()):
        return False
    torch = sys.modules.get("torch")
    if torch is not None and driver.attempt(lambda: torch.cuda.is_initialized()):
        return False
    return not has_more_threads() or all([driver.attempt(pause(library)) == 0 for library in openmp()])


def has_threads(of):
    try:
        tasks = os.listdir("/proc/self/task")
    except OSError:
        return True
    return not of or any(driver.attempt(lambda: title(task)).startswith(of) for task in tasks)


def title(task):
    with open("/proc/self/task/%s/comm" % task) as file:
        return file.read()


def has_more_threads():
    try:
        return len(os.listdir("/proc/self/task")) > threading.active_count()
    except OSError:
        return True


def openmp():
    global seen
    if len(sys.modules) == seen:
        return libraries
    seen = len(sys.modules)
    import ctypes

    try:
        with open("/proc/self/maps") as maps:
            paths = {line.split(None, 5)[5].strip() for line in maps if "libgomp" in line}
    except OSError:
        paths = ()  # only on Linux is it common
    libraries[:] = [library for library in (driver.attempt(lambda: ctypes.CDLL(path)) for path in paths) if library]
    return libraries


def pause(library):
    return lambda: library.omp_pause_resource_all(PAUSE)
