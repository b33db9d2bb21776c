"""Runs blocks of Python inside the person's own interpreter and tells the host what happens.

Commands come on descriptor 3 and events go out on descriptor 4, one JSON object a line. Stdout and stderr stay
descriptors 1 and 2. An event that must keep its place in the output carries a mark: the same mark is written to both
streams first. Python 3.8 and newer; only the standard library, and as little of it as possible before the first block.
What few blocks need is in files beside this one (`python-magics.py`, …), each loaded when it is first needed.
"""

import ast
import builtins
import io
import json
import os
import queue
import signal
import sys
import threading
import time
import types
from errno import EXDEV

if sys.path and sys.path[0] == os.path.dirname(os.path.abspath(__file__)):
    sys.path[0] = ""
elif "" not in sys.path:
    sys.path.insert(0, "")
tables = "--tables" in sys.argv  # whether somebody draws the tables that are displayed
sys.argv = [""]

FLUSH_EVERY = 0.03

commands_fd, events_fd = 3, 4
mark_fds = (os.dup(1), os.dup(2))  # our own copies: a block may close or redirect 1 and 2
for fd in (commands_fd, events_fd, *mark_fds):
    os.set_inheritable(fd, False)

driver_pid = os.getpid()
group = os.getpgrp() if hasattr(os, "getpgrp") and os.getpgrp() == driver_pid else None  # what ends with us
OWN = "interpreter"  # the name of our own threads
main_thread = threading.main_thread()
send_lock = threading.RLock()
printing = threading.RLock()  # held while something is handed to the system
blocks = queue.SimpleQueue()
answers = {}
marks = 0
asked = 0
nonce = ""
pause = time.sleep  # a block may replace time.sleep
busy = threading.Event()  # set while a block runs
running = None  # file name of the block that runs now
VIEWING = "<view>"  # stands there while a table is looked at
last_line = 0
driver = sys.modules[__name__]
silent = False  # in a copy of the process, which saves values: whatever it prints is nobody's
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


# --- telling the host -------------------------------------------------------------------------------------------


def write_all(fd, data):
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def send(event, place=False):
    """Sends one event; with `place`, it keeps its place between the lines printed before and after it."""
    global marks
    if os.getpid() != driver_pid:
        return  # a forked child has no voice here
    with send_lock:
        if place:
            flush()
            marks += 1
            event["mark"] = marks
            mark = ("\x1e%s:%d\x1e" % (nonce, marks)).encode()
            for fd in mark_fds:
                write_all(fd, mark)
        write_all(events_fd, json.dumps(event).encode("utf-8", "backslashreplace") + b"\n")


def flush():
    if silent:
        return
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


CHILD = frozenset(("os.system", "subprocess.Popen", "os.posix_spawn", "os.exec"))
REACHING = frozenset(("socket.connect", "socket.gethostbyname", "socket.sendmsg", "socket.sendto"))
lookups_watched = False


def audited(event, arguments):
    """What was printed so far comes before what a child process prints; and hosts that are reached are noted."""
    global lookups_watched
    if event == "import":
        if not lookups_watched and "_socket" in sys.modules:
            lookups_watched = True
            attempt(lambda: companion("hosts").watch_lookups())
    elif event in CHILD:
        flush()
    elif event in REACHING:
        attempt(lambda: companion("hosts").heard(event, arguments))


def hosts():
    module = sys.modules.get("interpreter_hosts")
    return module.take() if module is not None and module.reached else None


def watch():
    """Every few milliseconds: hands over what was printed, and says which line runs. Costs a loop nothing."""
    global last_line
    while True:
        busy.wait(0.25)  # threads may print between blocks too
        pause(FLUSH_EVERY)
        flush()
        name = running
        if name is None:
            continue
        frame = sys._current_frames().get(main_thread.ident)
        line = 0
        while frame is not None:
            if frame.f_code.co_filename == name and frame.f_code.co_name == "<module>":
                line = frame.f_lineno
            frame = frame.f_back
        del frame
        if line and line != last_line and name == running:
            last_line = line
            send({"op": "line", "line": line})


class Output(io.BufferedWriter):
    """A copy of the process never finds it in the middle of writing, which would go on there for ever."""

    def write(self, data):
        with printing:
            return super().write(data)

    def flush(self):
        with printing:
            super().flush()


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


# --- asking the person ------------------------------------------------------------------------------------------


class NobodyThere(EOFError):
    """Raised by input() where nobody can answer."""


NobodyThere.__module__ = "builtins"
NobodyThere.__qualname__ = NobodyThere.__name__ = "EOFError"


def ask(prompt="", hidden=False):
    global asked
    if os.getpid() != driver_pid:
        raise EOFError("a child process cannot ask for input")
    with send_lock:
        asked += 1
        number = asked
        box = answers[number] = queue.SimpleQueue()
        send({"op": "ask", "id": number, "prompt": str(prompt), "hidden": hidden}, place=True)
    try:
        text = box.get()
    finally:
        answers.pop(number, None)
    if text is None:
        raise NobodyThere("input was asked for, but nobody is here to answer. Put the value into the code instead.")
    return text


class AskingInput(io.TextIOBase):
    """sys.stdin: every line read from it is asked of the person."""

    encoding = "utf-8"
    errors = "strict"

    def readable(self):
        return True

    def fileno(self):
        return 0

    def readline(self, size=-1):
        try:
            return ask() + "\n"
        except NobodyThere:
            return ""

    def read(self, size=-1):
        return self.readline()


def on_getpass(module):
    def getpass(prompt="Password: ", stream=None, **_):
        return ask(prompt, hidden=True)

    module.getpass = module.unix_getpass = getpass


# --- showing values ---------------------------------------------------------------------------------------------

BINARY = ("_repr_png_", "image/png"), ("_repr_jpeg_", "image/jpeg"), ("_repr_pdf_", "application/pdf")
TEXTUAL = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_latex_", "text/latex"),
    ("_repr_json_", "application/json"),
    ("_repr_javascript_", "application/javascript"),
)


TABLE = "application/vnd.interpreter.table+json"
FOR_MODEL = "application/vnd.interpreter.for-model"  # the text that the model reads instead, where columns are hidden from it
TABULAR = frozenset(("pandas", "polars", "pyarrow", "geopandas"))
SUMMARISED = frozenset(("pandas", "plotly", "altair", "bokeh"))  # whose own text is too long, or says nothing
ATOMS = frozenset((int, float, bool, complex, type(None)))
captured = None  # a list while what is displayed is kept from view (%%capture)


def bundle_of(value):
    """Every representation the value offers, by MIME type. Empty when it has shown itself."""
    kind = type(value)
    if shell is None and (kind in ATOMS or kind is str):
        return {"text/plain": text_of(value)}
    bundle = companion("ipython").bundle_of(value) if shell is not None else {}
    if bundle is None or callable(getattr(kind, "_ipython_display_", None)) and companion("displays").show_itself(value):
        return {}
    if not bundle:
        bundle = own_forms(value, kind)
    if kind.__name__ == "Figure" and kind.__module__ == "matplotlib.figure" and "image/png" not in bundle:
        bundle["image/png"] = companion("figures").png_of(value)
    for mime, made in list(bundle.items()):
        if isinstance(made, (bytes, bytearray)):
            import base64

            bundle[mime] = base64.b64encode(made).decode("ascii")
    if "text/plain" not in bundle or kind.__module__.partition(".")[0] in SUMMARISED:
        bundle["text/plain"] = text_of(value)
    if tables and (kind.__module__.partition(".")[0] in TABULAR or kind is list and value and type(value[0]) is dict):
        table = attempt(lambda: companion("tables").table_of(value))
        if table is not None:
            bundle[TABLE] = table
    if os.environ.get("INTERPRETER_NEVER_SEND"):
        hidden = companion("hidden").text_for_model(value)
        if hidden is not None:
            bundle[FOR_MODEL] = hidden
    return bundle


def own_forms(value, kind):
    bundle = {}
    method = getattr(kind, "_repr_mimebundle_", None)
    if callable(method):
        made = represent(lambda: method(value))
        if isinstance(made, tuple):
            made = made[0]
        if isinstance(made, dict):
            bundle.update(made)
    if bundle and kind.__module__.partition(".")[0] in ("plotly", "altair"):
        return bundle  # their HTML would want the network
    for name, mime in BINARY + TEXTUAL:
        if mime in bundle or not callable(getattr(kind, name, None)) or mime == "image/jpeg" and "image/png" in bundle:
            continue
        made = represent(lambda: getattr(value, name)())
        if isinstance(made, tuple):
            made = made[0]
        if made is not None:
            bundle[mime] = made
    return bundle


def represent(make):
    """One of the forms of a value. One that fails is left out, and that is said."""
    try:
        return make()
    except NotImplementedError:
        return None
    except Exception as error:
        sys.stderr.write("%s while a value was shown: %s\n" % (type(error).__name__, error))
        return None


def attempt(make):
    try:
        return make()
    except Exception:
        return None


at_start = dict(os.environ), list(sys.path), attempt(os.getcwd)  # to know what blocks have changed


def text_of(value):
    kind = type(value)
    if kind in ATOMS or kind is str and len(value) < 1000:
        return repr(value)
    return companion("summaries").text_of(value)


def display(*values, **options):
    """Shows values the way the last line of a block is shown."""
    if options.get("display_id") is not None:
        return companion("displays").display(values, **options)
    for value in values:
        if options.get("raw") and isinstance(value, dict):
            publish(value)
            continue
        bundle = bundle_of(value)
        if bundle:  # empty when the value has shown itself
            publish(bundle)


def publish(bundle, **place):
    if captured is not None:
        captured.append(bundle)
        return
    send(dict(place, op="display", bundle=json_safe(bundle)), place=True)


def json_safe(bundle):
    return {str(mime): made if isinstance(made, str) else attempt(lambda: json.loads(json.dumps(made))) for mime, made in bundle.items()}


def displayhook(value):
    if value is None:
        return
    builtins._ = value
    display(value)


# --- modules that are adjusted when a block imports them ------------------------------------------------------------


ADJUSTED = (
    "IPython altair asyncio bokeh.io.showing multiprocessing.spawn pandas pdb plotly.io._renderers tqdm.notebook"
).split()


def on_library(module):
    companion("libraries").adjust(module)


def on_matplotlib(module):
    companion("figures").adjust(module)


def show_open_figures():
    if "matplotlib.pyplot" in sys.modules:
        companion("figures").show_open()


class AfterImport:
    """Adjusts a few modules when, and only when, a block imports them."""

    waiting = {"matplotlib": on_matplotlib, "getpass": on_getpass}
    waiting.update(dict.fromkeys(ADJUSTED, on_library))
    looking = False

    def find_spec(self, name, path=None, target=None):
        if self.looking or name not in self.waiting:
            return None
        import importlib.util

        self.looking = True
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self.looking = False
        if spec is None or spec.loader is None:
            return spec
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            adjust = self.waiting.pop(name, None)
            if adjust is not None:
                attempt(lambda: adjust(module))

        spec.loader.exec_module = exec_module
        return spec


# --- renaming in the write layer ----------------------------------------------------------------------------------


def allow_renames():
    """The write layer refuses to rename folders that were there before; most code does not expect that."""

    def allow(name):
        theirs = getattr(os, name)

        def rename(src, dst, *, src_dir_fd=None, dst_dir_fd=None):
            try:
                theirs(src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
            except OSError as error:
                if error.errno != EXDEV or src_dir_fd is not None or dst_dir_fd is not None:
                    raise
                refused = error
            else:
                return
            companion("rename").move(src, dst, refused)

        rename.__name__ = rename.__qualname__ = name
        rename.__module__, rename.__doc__ = theirs.__module__, theirs.__doc__
        setattr(os, name, rename)
        accessor = getattr(sys.modules.get("pathlib"), "_NormalAccessor", None)
        if accessor is not None:  # older versions keep their own
            setattr(accessor, name, staticmethod(rename))

    for name in ("rename", "replace"):
        allow(name)


# --- what is loaded when it is used -------------------------------------------------------------------------------

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

    def answer():
        look = companion("inspect")
        if command["op"] == "inspect":
            return look.variables()
        return look.complete(command["code"], command["cursor"])

    send({"op": "reply", "id": command["id"], "value": attempt(answer)})


def ask_between_blocks(command):
    """Tables are looked at and values saved between blocks, where nothing changes them: while a block runs, that is the answer."""
    if running not in (None, VIEWING):
        problem = {"problem": "Python is running a block. Look again when it is done.", "busy": True}
        send({"op": "reply", "id": command["id"], "value": problem})
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
    run_tree(tree, name, ends_silent(code))
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
    return run_async(value) if code.co_flags & 0x80 else value  # CO_COROUTINE: the block awaits something


def event_loop():
    global loop
    import asyncio

    if loop is None or loop.is_closed():
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
    return loop


def run_async(coroutine):
    loop = event_loop()
    task = loop.create_task(coroutine)
    try:
        return loop.run_until_complete(task)
    except KeyboardInterrupt:
        task.cancel()
        try:
            loop.run_until_complete(task)
        except BaseException:
            pass
        raise


def ends_silent(code):
    """A semicolon after the last expression keeps it from being shown, as in a notebook."""
    if ";" not in code:
        return False
    import tokenize

    try:
        kept = [
            token
            for token in tokenize.generate_tokens(io.StringIO(code).readline)
            if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.DEDENT)
        ]
    except Exception:
        return False
    return bool(kept) and kept[-1].string == ";"


def remember_source(code, name):
    import linecache

    linecache.cache[name] = (len(code), None, (code + "\n").splitlines(True), name)


def report(error):
    try:
        message, text = companion("errors").tell(error)
    except OSError:  # the block has used up every descriptor
        message = str(error)
        text = "%s: %s\n" % (type(error).__name__, message)
    send({"op": "error", "name": type(error).__name__, "message": message, "traceback": text}, place=True)


def serve(number, code, name):
    global running, last_line
    status = "ok"
    last_line = 0
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
    send({"op": "end", "id": number, "status": status, "memory": memory(), "hosts": hosts()}, place=True)


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
    flush()
    attempt(lambda: send({"op": "leaving", "code": (code or 0) & 0xFF, "hosts": hosts()}))
    os._exit((code or 0) & 0xFF)


def command_lines():
    return os.fdopen(commands_fd, "rb", closefd=False)


def begin(lines):
    """Hears the host and looks after what is printed, in threads of our own."""
    for target, arguments in ((listen, (lines,)), (watch, ())):
        threading.Thread(target=target, args=arguments, name=OWN, daemon=True).start()


def listen(lines):
    """Reads commands as they come, also while a block runs. When they end, the host is gone, and so are we."""
    try:
        for line in lines:
            obey(json.loads(line))
    finally:
        end()


def end():
    if group is not None:
        attempt(lambda: os.killpg(group, signal.SIGKILL))
    os._exit(1)


def obey(command):
    global nonce
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
        nonce = command["nonce"]
        send({"op": "ready", "version": sys.version.split()[0]})


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
    return companion("waiting").next_block()


def main():
    signal.signal(signal.SIGINT, while_idle)
    open_streams()
    sys.displayhook = displayhook
    builtins.input = ask
    builtins.display = display
    builtins.get_ipython = get_ipython
    builtins.__magic__ = magic
    builtins.computer = Computer()
    sys.modules["__main__"] = user_module
    sys.meta_path.insert(0, AfterImport())
    sys.meta_path.append(ComputerFinder())
    sys.addaudithook(audited)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=flush)
    if os.environ.get("_OI_LAYER") == "1":
        allow_renames()
    begin(command_lines())
    while True:
        number, code, name = next_block()
        if number is None:
            companion("viewer" if code["op"] == "table" else code["op"]).answer(code)
        else:
            serve(number, code, name)


main()
