"""Magics about folders, files and the environment: %cd, %pwd, %ls, %env, %run, %%writefile."""

import builtins
import os
import sys
import types

magics = driver.companion("magics")
before = []  # the folders we came from


def line_cd(text, frame):
    found, folder = magics.options(text, "q")
    folder = folder.strip("\"'") if folder != "-" else ""
    if text.strip().endswith("-") and not folder:
        if not before:
            raise magics.UsageError("%cd -: there is no folder to go back to")
        folder = before.pop()
    here = os.getcwd()
    os.chdir(os.path.expanduser(folder or "~"))
    before.append(here)
    if "q" not in found:
        magics.say(os.getcwd())


def line_pwd(text, frame):
    return os.getcwd()


def line_ls(text, frame):
    driver.companion("commands").system(("dir " if os.name == "nt" else "ls ") + text)


def line_env(text, frame):
    name, equals, value = (part.strip() for part in text.partition("=" if "=" in text else " "))
    if not name:
        return dict(os.environ)
    if not value and not equals:
        if name not in os.environ:
            raise magics.UsageError("the environment has no %s" % name)
        return os.environ[name]
    os.environ[name] = value
    magics.say("env: %s=%s" % (name, value))


line_set_env = line_env


# --- %run -------------------------------------------------------------------------------------------------------


def line_run(text, frame):
    """Runs a file as a program of its own, and then gives its names to the session."""
    found, rest = magics.options(text, "inem")
    arguments = magics.words(rest)
    if not arguments:
        raise magics.UsageError("%run needs a file")
    if "m" in found:
        import runpy

        return as_program(arguments, driver.namespace, lambda: runpy.run_module(arguments[0], run_name="__main__", alter_sys=True))
    path = os.path.expanduser(arguments[0])
    if not os.path.exists(path) and os.path.exists(path + ".py"):
        path += ".py"
    if not os.path.exists(path):
        raise magics.UsageError("there is no file %s" % path)
    if path.endswith(".ipynb"):
        return run_notebook(path)
    module = types.ModuleType("__main__")
    names = driver.namespace if "i" in found else module.__dict__
    own = {"__file__": os.path.abspath(path), "__builtins__": builtins, "__name__": "__main__"}
    with open(path, "rb") as file:
        code = compile(file.read(), os.path.abspath(path), "exec", dont_inherit=True)
    saved = {name: names[name] for name in own if name in names}
    names.update(own, __name__="__not_main__" if "n" in found else "__main__")
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        if "i" not in found:
            sys.modules["__main__"] = module
        as_program([path] + arguments[1:], names, lambda: exec(code, names))
    finally:
        sys.path.pop(0)
        sys.modules["__main__"] = driver.user_module
        for name in own:
            names.pop(name, None)
        names.update(saved)
        if "i" not in found:
            driver.namespace.update((name, value) for name, value in names.items() if not name.startswith("__"))


def as_program(arguments, names, run):
    argv, sys.argv = sys.argv, list(arguments)
    try:
        run()
    except SystemExit as error:
        if error.code not in (None, 0):
            sys.stderr.write("%s ended with status %s\n" % (arguments[0], error.code))
    finally:
        sys.argv = argv


def run_notebook(path):
    import json

    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    for number, cell in enumerate(cells, 1):
        if cell["cell_type"] == "code":
            driver.run_block("".join(cell["source"]), "<%s, cell %d>" % (os.path.basename(path), number))


# --- %%writefile ------------------------------------------------------------------------------------------------


def cell_writefile(text, body, place):
    found, path = magics.options(text, "a")
    path = os.path.expanduser(path.strip("\"'"))
    if not path:
        raise magics.UsageError("%%writefile needs a file")
    word = "Writing" if not os.path.exists(path) else "Appending to" if "a" in found else "Overwriting"
    with open(path, "a" if "a" in found else "w", encoding="utf-8") as file:
        file.write(body if body.endswith("\n") or not body else body + "\n")
    magics.say("%s %s" % (word, path))


cell_file = cell_writefile
