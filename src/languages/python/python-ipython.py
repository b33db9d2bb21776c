"""IPython's own shell over the session's names, made when a block needs it: for magics that only IPython has, for
get_ipython(), and when a block imports IPython. Where IPython is not installed, a small stand-in.
"""

import os
import sys
import types

showing = driver.companion("showing")


def start():
    """IPython's shell, or the stand-in."""
    if driver.shell is None:
        try:
            driver.shell = make_shell()
        except ImportError:
            return stand_in()
    return driver.shell


class SmallShell(types.SimpleNamespace):
    """What get_ipython() gives where IPython is not installed."""

    def __repr__(self):
        return "<the shell of this session; IPython is not installed>"


def stand_in():
    magics = driver.companion("magics")
    commands = driver.companion("commands")
    frame = types.SimpleNamespace(f_globals=driver.namespace, f_locals=driver.namespace, f_code=start.__code__, f_lineno=1)
    return SmallShell(
        user_ns=driver.namespace,
        user_module=driver.user_module,
        config={},
        run_line_magic=lambda name, line: magics.line_magic(frame, name, line),
        run_cell_magic=lambda name, line, cell: magics.cell_magic(frame, name, line, cell, 1),
        magic=lambda text: magics.line_magic(frame, *(text.lstrip("%").split(None, 1) + [""])[:2]),
        system=commands.system,
        getoutput=commands.output,
        run_cell=lambda code, *_, **__: driver.run_block(code, "<run_cell>"),
        push=lambda names, **_: driver.namespace.update(names),
        ev=lambda text: eval(text, driver.namespace),
        ex=lambda text: exec(text, driver.namespace),
    )


def make_shell():
    from IPython.core.displayhook import DisplayHook
    from IPython.core.displaypub import DisplayPublisher
    from IPython.core.error import UsageError
    from IPython.core.formatters import DisplayFormatter
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    if driver.shell is not None:  # made meanwhile, by what watches for the import of IPython
        return driver.shell

    class Publisher(DisplayPublisher):
        def publish(self, data, metadata=None, source=None, *, transient=None, update=False, **_):
            display_id = (transient or {}).get("display_id")
            place = {} if display_id is None else {"display_id": str(display_id)}
            driver.publish(in_words(data), **(dict(place, update=True) if update else place))

        def clear_output(self, wait=False):
            driver.channel.send({"op": "clear", "wait": bool(wait)}, place=True)

    class Formatter(DisplayFormatter):
        """IPython's forms of a value, with our text where a text could be without end or says nothing."""

        def format(self, obj, include=None, exclude=None):
            data, metadata = super().format(obj, include, exclude)
            library = type(obj).__module__.partition(".")[0]
            if "text/plain" in data and (library in showing.SUMMARISED or driver.companion("summaries").is_ours(obj)):
                data["text/plain"] = showing.text_of(obj)
            if "image/png" in data:
                data.pop("image/jpeg", None)
            return data, metadata

    class Hook(DisplayHook):
        def __call__(self, result=None):
            driver.displayhook(result)

    class SessionShell(InteractiveShell):
        """Keeps nothing on disk, and leaves to us what is ours already."""

        def init_ipython_dir(self, ipython_dir):
            self.set_trait_silently("ipython_dir", ipython_folder())

        def init_profile_dir(self, profile_dir):
            from IPython.core.profiledir import ProfileDir

            profile = ProfileDir.__new__(ProfileDir)
            profile._trait_values["location"] = os.path.join(self.ipython_dir, "profile_default")
            self.set_trait_silently("profile_dir", profile)

        def set_trait_silently(self, name, value):
            self._trait_values[name] = value  # assigning it would make the folder

        def init_display_formatter(self):
            self.display_formatter = Formatter(parent=self)
            self.configurables.append(self.display_formatter)

        def init_virtualenv(self):
            pass

        def init_builtins(self):
            from IPython.core.builtin_trap import BuiltinTrap

            self.builtin_trap = BuiltinTrap(shell=self)

        def init_user_ns(self):
            self.user_ns.setdefault("_dh", [os.getcwd()])
            self.user_ns.setdefault("_ih", self.history_manager.input_hist_parsed)
            self.user_ns.setdefault("_oh", self.history_manager.output_hist)

        def init_sys_modules(self):
            self._main_mod_cache = {}

        def _showtraceback(self, etype, evalue, stb):
            """One of the forms of a value could not be made; errors of blocks are reported by us."""
            sys.stderr.write("%s while a value was shown: %s\n" % (etype.__name__, evalue))

        def system(self, cmd):
            driver.companion("commands").system(self.var_expand(cmd, depth=1))

    SessionShell.system_raw = SessionShell.system_piped = SessionShell.system
    config = Config()
    config.HistoryManager.enabled = False
    config.HistoryManager.hist_file = ":memory:"
    config.InteractiveShell.colors = "nocolor" if "nocolor" in getattr(InteractiveShell.colors, "values", ()) else "NoColor"
    hook, streams, names = sys.displayhook, (sys.stdout, sys.stderr), set(driver.namespace)
    prompts = [name for name in ("ps1", "ps2", "ps3") if not hasattr(sys, name)]
    shell = SessionShell.instance(
        config=config,
        user_module=driver.user_module,
        user_ns=driver.namespace,
        display_pub_class=Publisher,
        displayhook_class=Hook,
    )
    sys.displayhook = hook
    sys.stdout, sys.stderr = streams
    for name in prompts:
        driver.attempt(lambda: delattr(sys, name))
    for name in set(driver.namespace) - names - {"_dh", "_ih", "_oh"}:
        del driver.namespace[name]
    shell.set_hook("show_in_pager", print_page)
    driver.usage_errors.add(UsageError)
    return shell


def print_page(shell, data, start=0, screen_lines=0, **_):
    print(data["text/plain"] if isinstance(data, dict) else data)


def ipython_folder():
    return os.environ.get("IPYTHONDIR") or os.path.join(os.path.expanduser("~"), ".ipython")


def in_words(data):
    """Pictures as text, as everything else that travels."""
    import base64

    return {mime: base64.b64encode(made).decode("ascii") if isinstance(made, bytes) else made for mime, made in data.items()}


def bundle_of(value):
    """What IPython's formatters say, those that people and extensions have registered included. None: it is shown."""
    formatter = getattr(driver.shell, "display_formatter", None)
    if formatter is None or type(value).__module__.partition(".")[0] in showing.SUMMARISED:
        return {}
    data, _ = formatter.format(value)
    if not data:
        return None
    return in_words(data)


def before_block(code):
    info = driver.attempt(lambda: driver.sys.modules["IPython.core.interactiveshell"].ExecutionInfo(code, False, True, True, None))
    trigger("pre_execute")
    trigger("pre_run_cell", *([info] if info is not None else []))


def after_block():
    trigger("post_execute")
    result = driver.attempt(lambda: driver.sys.modules["IPython.core.interactiveshell"].ExecutionResult(None))
    trigger("post_run_cell", *([result] if result is not None else []))


def trigger(event, *arguments):
    events = getattr(driver.shell, "events", None)
    if events is not None and events.callbacks.get(event):
        driver.attempt(lambda: events.trigger(event, *arguments))
