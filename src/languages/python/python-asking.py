"""Asks the person: for input(), for what reads sys.stdin, and for passwords."""

import os
import queue

asked = 0


class NobodyThere(EOFError):
    """Raised by input() where nobody can answer."""


NobodyThere.__module__ = "builtins"
NobodyThere.__qualname__ = NobodyThere.__name__ = "EOFError"


def ask(prompt, hidden=False):
    global asked
    channel = driver.channel
    if os.getpid() != channel.pid:
        raise EOFError("a child process cannot ask for input")
    with channel.sending:
        asked += 1
        number = asked
        box = driver.answers[number] = queue.SimpleQueue()
        channel.send({"op": "ask", "id": number, "prompt": str(prompt), "hidden": hidden}, place=True)
    try:
        text = box.get()
    finally:
        driver.answers.pop(number, None)
    if text is None:
        raise NobodyThere("input was asked for, but nobody is here to answer. Put the value into the code instead.")
    return text


def line():
    try:
        return ask("") + "\n"
    except NobodyThere:
        return ""


def adjust_getpass(module):
    def getpass(prompt="Password: ", stream=None, **_):
        return ask(prompt, hidden=True)

    module.getpass = module.unix_getpass = getpass
