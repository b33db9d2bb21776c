"""`!command`, `x = !command` and `%%bash`: programs started from a block, heard while they run."""

import os
import subprocess
import sys

magics = driver.companion("magics")
SHELLS = ("bash", "zsh", "sh", "dash", "ksh")


class Lines(list):
    """The lines a command printed: a list, with the whole as `.s` (one line) and `.n` (as printed)."""

    @property
    def l(self):  # noqa: E743
        return list(self)

    @property
    def s(self):
        return " ".join(self)

    @property
    def n(self):
        return "\n".join(self)


def shell_of_the_person():
    """The shell that understands what people type after `!`."""
    if os.name == "nt":
        return None
    chosen = os.environ.get("SHELL", "")
    return chosen if os.path.basename(chosen) in SHELLS and os.path.exists(chosen) else "/bin/sh"


def shell_command(text):
    text = driver.companion("packages").in_this_environment(text)
    return {"args": text, "shell": True, "executable": shell_of_the_person()}


def run(command, text=None):
    """Runs a program, hears it, and gives its status. Where the block has replaced sys.stdout, that hears it instead."""
    ours = sys.stdout is sys.__stdout__ and sys.stderr is sys.__stderr__
    if not ours:
        command.update(stdout=subprocess.PIPE, stderr=subprocess.STDOUT if sys.stdout is sys.stderr else subprocess.PIPE)
    command["stdin"] = subprocess.DEVNULL if text is None else subprocess.PIPE
    with subprocess.Popen(encoding="utf-8", errors="replace", **command) as process:
        try:
            if ours and text is None:
                process.wait()
            else:
                out, err = process.communicate(text)
                sys.stdout.write(out or "")
                sys.stderr.write(err or "")
        except BaseException:
            process.terminate()
            raise
    return process.returncode


def system(text):
    status = run(shell_command(text))
    driver.companion("packages").after_command(text)
    driver.namespace["_exit_code"] = status


def output(text):
    process = subprocess.run(
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
        **shell_command(text),
    )  # fmt: skip
    driver.namespace["_exit_code"] = process.returncode
    return Lines(process.stdout.splitlines())


def line_system(text, frame):
    return output(text)


line_sx = line_system


def program(name):
    def line(text, frame):
        system("%s %s" % (name, text))

    return line


line_cat = program("cat")
line_cp = program("cp")
line_mkdir = program("mkdir")
line_mv = program("mv")
line_rm = program("rm")
line_rmdir = program("rmdir")


def cell_system(text, body, place):
    return output(text + "\n" + body if text else body)


cell_sx = cell_system


# --- %%script ---------------------------------------------------------------------------------------------------

LONG = {"out": True, "err": True, "proc": True, "bg": False, "no-raise-error": False}


def cell_script(text, body, place):
    found, command = magics.options(text, long=LONG)
    if not command:
        raise magics.UsageError("%%script needs the name of a program")
    return script(magics.words(command), found, body)


def named(*program):
    def cell(text, body, place):
        found, arguments = magics.options(text, long=LONG)
        return script(list(program) + magics.words(arguments), found, body)

    return cell


cell_bash = named("bash")
cell_sh = named("sh")
cell_zsh = named("zsh")
cell_perl = named("perl")
cell_ruby = named("ruby")
cell_cmd = named("cmd")
cell_python = cell_python3 = named(sys.executable)


def script(program, found, body):
    """Feeds the cell to a program; a status other than 0 is an error, as in a notebook."""
    if "bg" in found:
        process = subprocess.Popen(program, stdin=subprocess.PIPE, encoding="utf-8")
        process.stdin.write(body)
        process.stdin.close()
        if "proc" in found:
            driver.namespace[found["proc"]] = process
        return
    try:
        if "out" in found or "err" in found:
            process = subprocess.run(program, input=body, capture_output=True, encoding="utf-8", errors="replace")
            status = process.returncode
            for option, text, stream in (("out", process.stdout, sys.stdout), ("err", process.stderr, sys.stderr)):
                if option in found:
                    driver.namespace[found[option]] = text
                else:
                    stream.write(text)
        else:
            status = run({"args": program}, body)
    except FileNotFoundError:
        raise magics.UsageError("%s is not installed here" % program[0]) from None
    if status and "no-raise-error" not in found:
        raise subprocess.CalledProcessError(status, program[0])
