"""Magics about the session itself: its names and what they are (%who, `name?`), its history, and settings of a notebook."""

import inspect
import linecache
import re
import sys
import types

magics = driver.companion("magics")


def names_of_the_person():
    hidden = (types.ModuleType,)
    return sorted(
        name
        for name, value in driver.namespace.items()
        if not name.startswith("_") and value is not driver.display and not isinstance(value, hidden)
    )


def line_who_ls(text, frame):
    kinds = text.split()
    return [name for name in names_of_the_person() if not kinds or type(driver.namespace[name]).__name__ in kinds]


def line_who(text, frame):
    names = line_who_ls(text, frame)
    magics.say("\t ".join(names) if names else "There are no variables yet.")


def line_whos(text, frame):
    names = line_who_ls(text, frame)
    if not names:
        return magics.say("There are no variables yet.")
    rows = [("Variable", "Type", "Data/Info")]
    for name in names:
        value = driver.namespace[name]
        rows.append((name, type(value).__name__, driver.companion("summaries").in_a_line(value)))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for row in rows:
        magics.say("%-*s   %-*s   %s" % (widths[0], row[0], widths[1], row[1], row[2]))


def line_reset(text, frame):
    """Forgets every name the blocks made."""
    kept = {"__name__", "__doc__", "__package__", "__loader__", "__spec__", "__builtins__", "display"}
    for name in [name for name in driver.namespace if name not in kept]:
        del driver.namespace[name]


def line_history(text, frame):
    for name in list(linecache.cache):
        number = re.match(r"<block (\d+)>$", name)
        if number:
            magics.say("".join(linecache.cache[name][2]).rstrip("\n"))


line_hist = line_history


def line_lsmagic(text, frame):
    magics.say("Lines: " + "  ".join("%" + name for name in sorted(magics.LINE)))
    magics.say("Blocks: " + "  ".join("%%" + name for name in sorted(magics.CELL)))
    magics.say("And !command, x = !command, name? and name??. Where IPython is installed, its own magics, too.")


def line_debug(text, frame):
    """Looks around where the last error was raised."""
    error = driver.namespace.get("_error")
    if error is None or error.__traceback__ is None:
        raise magics.UsageError("%debug: there was no error yet")
    import pdb

    pdb.post_mortem(error.__traceback__)


# --- settings of a notebook -------------------------------------------------------------------------------------


def line_matplotlib(text, frame):
    chosen = text.split()[:1]
    if chosen and chosen[0] not in ("inline", "agg", "auto", "--list", "-l"):
        magics.say("Figures are shown as pictures here; %s windows are not." % chosen[0])


def line_config(text, frame):
    if not text.startswith("InlineBackend"):
        return magics.of_ipython("line", "config", text)


def line_load_ext(text, frame):
    shell = driver.companion("ipython").start()
    if getattr(shell, "magics_manager", None):
        return shell.run_line_magic("load_ext", text)
    magics.say("%s is an extension of IPython, which is not installed here; it was left out." % text)


line_reload_ext = line_load_ext


def line_autoreload(text, frame):
    shell = driver.companion("ipython").start()
    if getattr(shell, "magics_manager", None):
        if "autoreload" not in shell.magics_manager.magics["line"]:
            shell.run_line_magic("load_ext", "autoreload")
        return shell.run_line_magic("autoreload", text)
    magics.say("Modules are not loaded again by themselves without IPython; importlib.reload(module) does it.")


# --- name? ------------------------------------------------------------------------------------------------------


def line_pinfo(text, frame):
    show_help(frame, text, False)


def line_pinfo2(text, frame):
    show_help(frame, text, True)


def show_help(frame, subject, more):
    if subject.startswith("%"):
        return help_on_magic(subject.lstrip("%"))
    if "*" in subject:
        return magics.say("\n".join(matching(frame, subject)))
    try:
        value = eval(subject, frame.f_globals, frame.f_locals)
    except Exception:
        return magics.say("Object `%s` not found." % subject)
    magics.say("\n".join(described(subject, value, more)))


def described(subject, value, more):
    kind = type(value)
    is_code = inspect.isroutine(value) or inspect.isclass(value)
    if callable(value):
        signature = driver.attempt(lambda: str(inspect.signature(value)))
        if signature:
            yield ("Init signature: " if inspect.isclass(value) else "Signature: ") + subject + signature
    if not is_code:
        yield "Type:        %s" % kind.__name__
        yield "String form: %s" % driver.companion("summaries").in_a_line(value, str)
        size = driver.attempt(lambda: len(value))
        if size is not None:
            yield "Length:      %d" % size
    source = driver.attempt(lambda: inspect.getsource(value)) if more else None
    if source:
        yield "Source:\n%s" % source.rstrip()
    else:
        text = driver.attempt(lambda: inspect.getdoc(value))
        yield "Docstring:\n%s" % text if text else "Docstring: <no docstring>"
    if is_code or isinstance(value, types.ModuleType):
        file = driver.attempt(lambda: inspect.getfile(value))
        if file:
            yield "File:        %s" % file
        yield "Type:        %s" % kind.__name__


def matching(frame, pattern):
    import builtins
    import fnmatch

    root, _, last = pattern.rpartition(".")
    if root:
        value = driver.attempt(lambda: eval(root, frame.f_globals, frame.f_locals))
        return ["%s.%s" % (root, name) for name in dir(value) if fnmatch.fnmatch(name, last)]
    names = set(frame.f_globals) | set(frame.f_locals) | set(dir(builtins))
    return sorted(name for name in names if fnmatch.fnmatch(name, last))


def help_on_magic(name):
    for table, prefix in ((magics.LINE, "line_"), (magics.CELL, "cell_")):
        if name in table:
            text = getattr(driver.companion(table[name]), prefix + name).__doc__
            return magics.say("%%%s: %s" % (name, text or "works as in a notebook."))
    magics.say("There is no magic %%%s here." % name)
