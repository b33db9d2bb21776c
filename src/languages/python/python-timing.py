"""`%time`, `%timeit` and `%%capture`: magics that run the person's code and look at how it went."""

import ast
import io
import math
import os
import sys
import time

magics = driver.companion("magics")


# --- %time ------------------------------------------------------------------------------------------------------


def line_time(text, frame):
    tree = driver.parse(text, frame.f_code.co_filename)
    at_line(tree, frame.f_lineno)
    return timed(tree, frame.f_code.co_filename, frame.f_globals, frame.f_locals)


def cell_time(text, body, place):
    tree = place.parse(body)
    if text.strip():
        setup = driver.parse(text, place.name)
        at_line(setup, place.first_line - 1)
        tree.body[:0] = setup.body
    return timed(tree, place.name, driver.namespace, None)


def timed(tree, name, names, local):
    """Runs it, says how long it took, and gives the value of its last expression."""
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    before = clocks()
    try:
        run = lambda code: driver.execute(code) if local is None or local is names else eval(code, names, local)
        if tree.body:
            run(compile(tree, name, "exec", driver.TOP_LEVEL_AWAIT, dont_inherit=True))
        value = None
        if last is not None:
            expression = ast.Expression(last.value)
            value = run(compile(expression, name, "eval", driver.TOP_LEVEL_AWAIT, dont_inherit=True))
    finally:
        after = clocks()
        wall, user, system = (end - start for start, end in zip(before, after))
        if os.name != "nt":
            parts = tuple(map(format_time, (user, system, user + system)))
            magics.say("CPU times: user %s, sys: %s, total: %s" % parts)
        magics.say("Wall time: %s" % format_time(wall))
    return value


def clocks():
    try:
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        return time.perf_counter(), used.ru_utime, used.ru_stime
    except ImportError:
        times = os.times()
        return time.perf_counter(), times.user, times.system


def at_line(tree, line):
    for node in ast.walk(tree):
        if hasattr(node, "lineno"):
            node.end_lineno = node.lineno = line


def format_time(seconds):
    if seconds >= 60:
        parts = []
        for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
            if seconds >= size:
                parts.append("%d%s" % (seconds // size, unit))
                seconds %= size
        return " ".join(parts + ["%ds" % seconds])
    for size, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return "%.3g %s" % (seconds / size, unit)
    return "%.3g ns" % (seconds * 1e9)


# --- %timeit ----------------------------------------------------------------------------------------------------


class TimeitResult:
    """What `%timeit -o` gives."""

    def __init__(self, loops, repeat, all_runs):
        self.loops, self.repeat, self.all_runs = loops, repeat, all_runs
        self.timings = [run / loops for run in all_runs]
        self.best, self.worst = min(self.timings), max(self.timings)
        self.average = math.fsum(self.timings) / len(self.timings)
        self.stdev = math.sqrt(math.fsum((each - self.average) ** 2 for each in self.timings) / len(self.timings))

    def __str__(self):
        plural = lambda count, word: "%s %s%s" % (format(count, ","), word, "" if count == 1 else "s")
        return "%s ± %s per loop (mean ± std. dev. of %s, %s each)" % (
            format_time(self.average),
            format_time(self.stdev),
            plural(self.repeat, "run"),
            plural(self.loops, "loop"),
        )

    def __repr__(self):
        return "<TimeitResult : %s>" % self


def line_timeit(text, frame):
    found, statement = magics.options(text, "qotc", "nrp")
    names = dict(frame.f_globals, **frame.f_locals) if frame.f_locals is not frame.f_globals else frame.f_globals
    return measured(statement, "pass", found, names)


def cell_timeit(text, body, place):
    found, setup = magics.options(text, "qotc", "nrp")
    return measured(body, setup or "pass", found, driver.namespace)


def measured(statement, setup, found, names):
    if not statement.strip():
        return None
    import timeit

    clock = time.process_time if "c" in found else time.perf_counter
    timer = timeit.Timer(statement, setup, clock, globals=names)
    loops, repeat = int(found.get("n", 0)), int(found.get("r", 7))
    if loops == 0:
        loops = 1
        while timer.timeit(loops) < 0.2 and loops < 10**9:
            loops *= 10
    result = TimeitResult(loops, repeat, timer.repeat(repeat, loops))
    if "q" not in found:
        magics.say(str(result))
    return result if "o" in found else None


# --- %%capture --------------------------------------------------------------------------------------------------


class Captured:
    """What a block printed and showed under `%%capture name`."""

    def __init__(self, stdout, stderr, bundles):
        self.stdout, self.stderr = stdout, stderr
        self.outputs = [Shown(bundle) for bundle in bundles]

    def show(self):
        sys.stdout.write(self.stdout)
        sys.stderr.write(self.stderr)
        for output in self.outputs:
            output.display()

    __call__ = show

    def __str__(self):
        return self.stdout


class Shown:
    def __init__(self, data):
        self.data = data

    def display(self):
        driver.publish(self.data)

    def _repr_mimebundle_(self, include=None, exclude=None):
        return self.data


def cell_capture(text, body, place):
    long = {"no-stdout": False, "no-stderr": False, "no-display": False}
    found, name = magics.options(text, long=long)
    tree = place.parse(body)
    streams, before = (sys.stdout, sys.stderr), driver.captured
    stdout, stderr, bundles = io.StringIO(), io.StringIO(), []
    if "no-stdout" not in found:
        sys.stdout = stdout
    if "no-stderr" not in found:
        sys.stderr = stderr
    if "no-display" not in found:
        driver.captured = bundles
    try:
        driver.run_tree(tree, place.name)
        driver.show_open_figures()
    finally:
        sys.stdout, sys.stderr = streams
        driver.captured = before
    if name:
        driver.namespace[name] = Captured(stdout.getvalue(), stderr.getvalue(), bundles)
