"""Runs blocks of Python inside the person's own interpreter and tells the host what happens.

Commands come on descriptor 3 and events go out on descriptor 4, one JSON object a line; stdout and stderr stay descriptors 1
and 2 (`python-channel.py`). Python 3.8 and newer; only the standard library, and as little of it as possible before the first
block. What few blocks need is in files beside this one (`python-magics.py`, …), each loaded when it is first needed.
"""

import ast
import builtins
import json
import os
import queue
import signal
import sys
import threading
import time
import types

if sys.path and sys.path[0] == os.path.dirname(os.path.abspath(__file__)):
    sys.path[0] = ""
elif "" not in sys.path:
    sys.path.insert(0, "")
tables = "--tables" in sys.argv  # whether somebody draws the tables that are displayed
sys.argv = [""]

OWN = "interpreter"  # the name of our own threads
main_thread = threading.main_thread()
blocks = queue.SimpleQueue()
answers = {}  # to what was asked of the person: by number, where the answer goes
pause = time.sleep  # a block may replace time.sleep
busy = threading.Event()  # set while a block runs
running = None  # file name of the block that runs now
VIEWING = "<view>"  # stands there while a table is looked at
driver = sys.modules[__name__]
own_files = {__file__}  # whose frames are left out of tracebacks
usage_errors = set()  # kinds of errors that are shown without a traceback


def companion(name):
    """A file of ours next to this one, loaded once. It finds this one as `driver`, and its frames count as ours."""
    title = "interpreter_" + name
    module = sys.modules.get(title)
    if module is None:
        path = os.path.join(os.path.dirname(__file__), "python-%s.py" % name)
        own_files.add(path)
        with open(path, encoding="utf-8") as source:
            code = compile(source.read(), path, "exec", dont_inherit=True)
        module = types.ModuleType(title)
        module.driver = driver
        exec(code, module.__dict__)
        module = sys.modules.setdefault(title, module)
    return module


def attempt(make):
    try:
        return make()
    except Exception:
        return None


channel = companion("channel")
at_start = dict(os.environ), list(sys.path), attempt(os.getcwd)  # to know what blocks have changed


# --- asking the person, and showing values -----------------------------------------------------------------------

ATOMS = frozenset((int, float, bool, complex, type(None)))
captured = None  # a list while what is displayed is kept from view (%%capture)


def ask(prompt="", hidden=False):
    return companion("asking").ask(prompt, hidden)


def display(*values, **options):
    """Shows values the way the last line of a block is shown."""
    return companion("showing").display(values, **options)


def displayhook(value):
    if value is None:
        return
    builtins._ = value
    if shell is None and is_short(value):
        publish({"text/plain": repr(value)})
    else:
        display(value)


def is_short(value):
    """Whether there is no more to show of it than its repr()."""
    kind = type(value)
    return kind in ATOMS or kind is str and len(value) < 1000


def publish(bundle, **place):
    if captured is not None:
        captured.append(bundle)
        return
    channel.send(dict(place, op="display", bundle=json_safe(bundle)), place=True)


def json_safe(bundle):
    return {str(mime): made if isinstance(made, str) else attempt(lambda: json.loads(json.dumps(made))) for mime, made in bundle.items()}


def show_open_figures():
    if "matplotlib.pyplot" in sys.modules:
        companion("figures").show_open()


# --- what is loaded when it is used -------------------------------------------------------------------------------


class AfterImport:
    """Adjusts a few modules when, and only when, a block imports them."""

    waiting = set(
        "IPython altair asyncio bokeh.io.showing getpass matplotlib multiprocessing.spawn pandas pdb plotly.io._renderers"
        " tqdm.notebook".split()
    )
    looking = False

    def find_spec(self, name, path=None, target=None):
        if self.looking or name not in self.waiting:
            return None
        return companion("libraries").find_spec(self, name)


calls = {}  # what code has asked of the host: by number, who takes what comes back


class Computer:
    """The name `computer`: what code may ask of the host."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(companion("computer").computer, name)

    def __dir__(self):
        return dir(companion("computer").computer)

    def __repr__(self):
        return repr(companion("computer").computer)


class ComputerFinder:
    """`import computer`, where the person has no module of that name."""

    def find_spec(self, name, path=None, target=None):
        return companion("computer").find_spec(name) if name.split(".")[0] == "computer" else None


def reply(command):
    """Answers a question about the session, beside the blocks: the person's values may be slow to look at."""
    value = attempt(lambda: companion("inspect").answer(command))
    channel.send({"op": "reply", "id": command["id"], "value": value})


def ask_between_blocks(command):
    """Tables are looked at and values saved between blocks, where nothing changes them: while a block runs, that is the answer."""
    if running not in (None, VIEWING):
        problem = {"problem": "Python is running a block. Look again when it is done.", "busy": True}
        channel.send({"op": "reply", "id": command["id"], "value": problem})
        return
    blocks.put((None, command, None))
    if idle_wake is not None:
        idle_wake()


# --- running blocks ---------------------------------------------------------------------------------------------

user_module = types.ModuleType("__main__")
user_module.__dict__.update(__builtins__=builtins, display=display)
namespace = user_module.__dict__
TOP_LEVEL_AWAIT = getattr(ast, "PyCF_ALLOW_TOP_LEVEL_AWAIT", 0)
loop = None  # the event loop, once a block has used asyncio
idle_wake = None  # while we wait for a block inside the event loop: what wakes us
shell = None  # IPython's shell, once a block has needed it


def run_block(code, name):
    remember_source(code, name)
    try:
        tree = parse(code, name)
    except SyntaxError:
        tree = companion("rewrite").parse(code, name)
        if tree is None:  # nothing that only a notebook understands: the mistake is the block's own
            raise
    run_tree(tree, name, ";" in code and attempt(lambda: companion("showing").ends_silent(code)))
    show_open_figures()


def parse(code, name):
    return compile(code, name, "exec", ast.PyCF_ONLY_AST | TOP_LEVEL_AWAIT, dont_inherit=True)


def run_tree(tree, name, silent=False):
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) and not silent else None
    if tree.body:
        execute(compile(tree, name, "exec", TOP_LEVEL_AWAIT, dont_inherit=True))
    if last is not None:
        execute(compile(ast.Interactive([last]), name, "single", TOP_LEVEL_AWAIT, dont_inherit=True))


def magic(*call):
    """What `%name`, `!command` and `name?` become: the block calls it as `__magic__`."""
    return companion("magics").call(sys._getframe(1), *call)


def get_ipython():
    """IPython's shell, made when a block asks for it. A library that only looks for one finds what there is."""
    if shell is None:
        if sys._getframe(1).f_globals.get("__name__") != "__main__":
            raise NameError("name 'get_ipython' is not defined")
        return companion("ipython").start()
    return shell


def execute(code):
    value = eval(code, namespace)
    return companion("loop").run_async(value) if code.co_flags & 0x80 else value  # CO_COROUTINE: the block awaits something


def remember_source(code, name):
    import linecache

    linecache.cache[name] = (len(code), None, (code + "\n").splitlines(True), name)


def report(error):
    try:
        message, text = companion("errors").tell(error)
    except OSError:  # the block has used up every descriptor
        message = str(error)
        text = "%s: %s\n" % (type(error).__name__, message)
    channel.send({"op": "error", "name": type(error).__name__, "message": message, "traceback": text}, place=True)


def serve(number, code, name):
    global running
    status = "ok"
    channel.last_line = 0
    try:
        try:
            running = name
            busy.set()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if shell is not None:
                companion("ipython").before_block(code)
            run_block(code, name)
        finally:
            signal.signal(signal.SIGINT, while_idle)
            running = None
            busy.clear()
            if sys.gettrace() is not None:
                attempt(companion("libraries").stop_debugging)
    except KeyboardInterrupt as error:
        status = "interrupted"
        report(error)
    except SystemExit as error:
        leave(error.code)
    except BaseException as error:
        status = "error"
        namespace["_error"] = error
        report(error)
    if status != "ok" and "matplotlib.pyplot" in sys.modules:
        companion("figures").clear(show=status == "error")
    if shell is not None:
        companion("ipython").after_block()
    channel.send({"op": "end", "id": number, "status": status, "memory": memory(), "hosts": channel.hosts()}, place=True)


def memory():
    """Bytes of memory in use now (at most until now, where only that is cheap to know), or None."""
    try:
        fd = os.open("/proc/self/statm", os.O_RDONLY)
        try:
            return int(os.read(fd, 100).split()[1]) * PAGE
        finally:
            os.close(fd)
    except OSError:
        return attempt(peak_memory)


def peak_memory():
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def leave(code):
    """The block asked Python to exit: it does, with the status it asked for."""
    if code is not None and not isinstance(code, int):
        sys.stderr.write("%s\n" % (code,))
        code = 1
    import atexit

    attempt(atexit._run_exitfuncs)
    channel.flush()
    attempt(lambda: channel.send({"op": "leaving", "code": (code or 0) & 0xFF, "hosts": channel.hosts()}))
    os._exit((code or 0) & 0xFF)


def begin(lines):
    """Hears the host and looks after what is printed, in threads of our own."""
    for target, arguments in ((listen, (lines,)), (channel.watch, ())):
        threading.Thread(target=target, args=arguments, name=OWN, daemon=True).start()


def listen(lines):
    """Reads commands as they come, also while a block runs. When they end, the host is gone, and so are we."""
    try:
        for line in lines:
            obey(json.loads(line))
    finally:
        channel.end()


def obey(command):
    op = command.get("op")
    if op == "run":
        blocks.put((command["id"], command["code"], command["name"]))
        if idle_wake is not None:
            idle_wake()
    elif op == "answer":
        box = answers.get(command["id"])
        if box is not None:
            box.put(command["text"])
    elif op == "interrupt" and running is not None:
        interrupt()
    elif op in ("result", "item", "stream", "note"):
        take = calls.get(command["id"])
        if take is not None:
            attempt(lambda: take(command))
    elif op in ("inspect", "complete"):
        threading.Thread(target=reply, args=(command,), name=OWN, daemon=True).start()
    elif op in ("table", "state", "hold"):
        ask_between_blocks(command)
    elif "nonce" in command:
        channel.nonce = command["nonce"]
        channel.send({"op": "ready", "version": sys.version.split()[0]})


def interrupt():
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main_thread.ident, signal.SIGINT)
    else:
        import _thread

        _thread.interrupt_main()


def while_idle(*_):
    """SIGINT between blocks is nobody's, unless a background task keeps the next block from starting."""
    if idle_wake is not None and not blocks.empty():
        raise KeyboardInterrupt


def next_block():
    """Waits for a block. Background tasks go on meanwhile, once there is an event loop."""
    if loop is None or loop.is_closed() or loop.is_running():
        return blocks.get()
    return companion("loop").next_block()


def main():
    signal.signal(signal.SIGINT, while_idle)
    channel.open_streams()
    sys.displayhook = displayhook
    builtins.input = ask
    builtins.display = display
    builtins.get_ipython = get_ipython
    builtins.__magic__ = magic
    builtins.computer = Computer()
    sys.modules["__main__"] = user_module
    sys.meta_path.insert(0, AfterImport())
    sys.meta_path.append(ComputerFinder())
    sys.addaudithook(channel.audited)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=channel.flush)
    if os.environ.get("_OI_LAYER") == "1":
        companion("rename").allow()
    begin(channel.command_lines())
    while True:
        number, code, name = next_block()
        if number is None:
            companion("viewer" if code["op"] == "table" else code["op"]).answer(code)
        else:
            serve(number, code, name)


main()
