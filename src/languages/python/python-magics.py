"""The magics of a notebook, without IPython. One we do not have is IPython's own, where the environment has IPython."""

import os
import re
import sys
import types

LINE = {
    "cd": "places", "pwd": "places", "ls": "places", "env": "places", "set_env": "places", "run": "places",
    "pip": "packages", "conda": "packages", "mamba": "packages", "uv": "packages",
    "sx": "commands", "system": "commands",
    "time": "timing", "timeit": "timing",
    "who": "names", "who_ls": "names", "whos": "names", "reset": "names", "history": "names", "hist": "names",
    "pinfo": "names", "pinfo2": "names", "lsmagic": "names", "debug": "names",
    "matplotlib": "names", "config": "names", "load_ext": "names", "reload_ext": "names", "autoreload": "names",
    "cat": "commands", "cp": "commands", "mkdir": "commands", "mv": "commands", "rm": "commands", "rmdir": "commands",
}  # fmt: skip
CELL = {
    "time": "timing", "timeit": "timing", "capture": "timing",
    "bash": "commands", "sh": "commands", "zsh": "commands", "script": "commands", "perl": "commands", "ruby": "commands",
    "python": "commands", "python3": "commands", "cmd": "commands", "system": "commands", "sx": "commands", "!": "commands",
    "writefile": "places", "file": "places",
    "html": "displays", "HTML": "displays", "javascript": "displays", "js": "displays", "latex": "displays",
    "markdown": "displays", "svg": "displays", "SVG": "displays",
}  # fmt: skip
# Their text is code, or is meant literally.
UNEXPANDED = {"time", "timeit", "config", "pinfo", "pinfo2", "debug"}


class UsageError(Exception):
    """A magic was called in a way that it does not know. Shown without a traceback."""


UsageError.__module__ = "builtins"
driver.usage_errors.add(UsageError)


def call(frame, kind, *arguments):
    """One line or cell of magic, called from `frame`."""
    if kind == "line":
        return line_magic(frame, *arguments)
    if kind == "cell":
        return cell_magic(frame, *arguments)
    if kind == "help":
        return driver.companion("names").show_help(frame, *arguments)
    commands = driver.companion("commands")
    return getattr(commands, kind)(expand(arguments[0], frame))


def line_magic(frame, name, text):
    theirs = of_extension("line", name)
    if name not in LINE or theirs:
        return of_ipython(theirs or "line", name, text)
    if name not in UNEXPANDED:
        text = expand(text, frame)
    return getattr(driver.companion(LINE[name]), "line_" + name)(text, frame)


def cell_magic(frame, name, text, body, first_line):
    """`first_line` is where the body begins in its block, so that errors name the right line."""
    theirs = of_extension("cell", name)
    if name not in CELL or theirs:
        return of_ipython(theirs or "cell", name, text, body)
    if name not in UNEXPANDED:
        text = expand(text, frame)
    made = getattr(driver.companion(CELL[name]), "cell_" + ("system" if name == "!" else name))
    return made(text, body, Place(frame, first_line))


class Place(types.SimpleNamespace):
    """Where the body of a cell magic stands in its block."""

    def __init__(self, frame, first_line):
        super().__init__(name=frame.f_code.co_filename, first_line=first_line, frame=frame)

    def parse(self, body):
        lines = "\n" * (self.first_line - 1) + body
        try:
            return driver.parse(lines, self.name)
        except SyntaxError:
            tree = driver.companion("rewrite").parse(lines, self.name)
            if tree is None:
                raise
            return tree


def of_extension(kind, name):
    """A magic that the person or an extension has registered with IPython goes before ours."""
    if driver.shell is None or not hasattr(driver.shell, "magics_manager"):
        return None
    made = driver.shell.magics_manager.magics[kind].get(name)
    module = getattr(made, "__module__", "") or ""
    return kind if made is not None and not module.startswith("IPython.") else None


def of_ipython(kind, name, text, body=None):
    shell = driver.companion("ipython").start()
    if not getattr(shell, "magics_manager", None):
        sign = "%" if body is None else "%%"
        raise UsageError(
            "%s%s is not known here. IPython knows more magics: %%pip install ipython" % (sign, name)
        )
    if kind not in ("line", "cell") or shell.magics_manager.magics[kind].get(name) is None:
        other = "cell" if kind == "line" else "line"
        hint = " (there is %s%s)" % ("%%" if other == "cell" else "%", name) if shell.magics_manager.magics[other].get(name) else ""
        raise UsageError("there is no magic %s%s%s" % ("%" if kind == "line" else "%%", name, hint))
    if kind == "line":
        return shell.run_line_magic(name, text)
    return shell.run_cell_magic(name, text, body)


# --- values in commands -----------------------------------------------------------------------------------------

FIELD = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|\$\$|\$([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)")


def expand(text, frame):
    """Puts values in: `{expression}` and `$name`. Where an expression has no value, nothing is touched."""
    if "{" not in text and "$" not in text:
        return text
    names = dict(frame.f_globals)
    names.update(frame.f_locals)

    def value_of(match):
        whole, expression, name = match.group(0, 1, 2)
        if whole in ("{{", "}}", "$$"):
            return whole[0]
        if name:
            root, _, rest = name.partition(".")
            if root not in names:
                return whole
            value = names[root]
            for part in rest.split(".") if rest else ():
                value = getattr(value, part)
            return str(value)
        return ("{" + expression + "}").format_map(Evaluating(names)) if simple(expression) else str(eval(expression, names))

    try:
        return FIELD.sub(value_of, text)
    except Exception:
        return text


def simple(expression):
    """Whether this is a name with a conversion or a format, which eval() does not know."""
    return re.match(r"[A-Za-z_]\w*(?:![rsa])?(?::[^{}]*)?$", expression) and re.search("[!:]", expression)


class Evaluating(dict):
    def __missing__(self, name):
        raise NameError(name)


# --- words ------------------------------------------------------------------------------------------------------


def words(text):
    """The arguments of a magic, as a shell would part them."""
    import shlex

    return shlex.split(text, posix=os.name != "nt")


def options(text, flags="", valued="", long=()):
    """Parts the options of a magic from what follows them: ({"n": "5", "o": True}, "the rest")."""
    found = {}
    rest = text.strip()
    while rest.startswith("-"):
        word, _, after = rest.partition(" ")
        if word == "--":
            return found, after.strip()
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            if name not in long:
                raise UsageError("the option %s is not known here" % word)
            if long[name] and not equals:
                value, _, after = after.strip().partition(" ")
            found[name] = value if long[name] else True
        elif word[1:2] and word[1] in valued:
            value = word[2:]
            if not value:
                value, _, after = after.strip().partition(" ")
            found[word[1]] = value
        elif word[1:] and all(letter in flags for letter in word[1:]):
            found.update(dict.fromkeys(word[1:], True))
        else:
            break
        rest = after.strip()
    return found, rest


def say(text):
    sys.stdout.write(text + "\n")
