"""The text of a block: what of it only a notebook understands, and what that is in a plain script."""

import ast
import re

INSTALL = re.compile(r"^[%!]\s*(python3?\s+-m\s+)?(pip3?|conda|mamba|uv)\s+(pip\s+)?(install|add|sync)\b")
IDLE_MAGIC = re.compile(r"^%(matplotlib|load_ext|reload_ext|autoreload|config|pylab|who\w*|lsmagic|timeit|history|hist|pinfo\w*|env|pwd)\b")
CELL = re.compile(r"\s*%%(\w+)[ \t]*([^\n]*)\n?")


class Source:
    """The text of a block as Python can read it, and what its notebook lines become in a script."""

    def __init__(self, code):
        self.code = code.replace("\r\n", "\n")
        self.python = self.code
        self.plain = {}  # line number → what it is in a script
        self.doubt, self.installs, self.made = [], False, []
        self.cell = None
        if parses(self.code):
            return
        cell = CELL.match(self.code)
        if cell:
            self.of_cell(cell)
        else:
            self.python = "\n".join(self.of_line(number, line) for number, line in enumerate(self.code.split("\n"), 1))

    def of_cell(self, cell):
        name, rest = cell.group(1, 2)
        body = self.code[cell.end() :]
        self.cell = name
        if name in ("time", "capture", "prun", "timeit"):
            self.python = "\n" * self.code.count("\n", 0, cell.end()) + body
            self.plain = {number: "" for number in range(1, self.code.count("\n", 0, cell.end()) + 1)}
        elif name in ("writefile", "file"):
            self.python = ""
            self.made = [rest.split()[-1]] if rest.split() else []
            append = "-a" in rest.split()
            self.whole = "open(%r, %r).write(%r)" % (self.made[0], "a" if append else "w", body) if self.made else ""
        elif name in ("html", "HTML", "javascript", "js", "markdown", "latex", "svg", "SVG"):
            self.python = ""
            self.whole = ""
        else:
            self.python = ""
            self.doubt.append("it runs commands whose effect cannot be told")
            program = {"bash": ["bash"], "sh": ["sh"], "script": rest.split(), "ruby": ["ruby"], "perl": ["perl"]}.get(name)
            run = '__import__("subprocess").run(%r, input=%r, text=True, check=True)'
            self.whole = run % (program, body) if program else "# %%%s cannot be run outside of a notebook" % name

    def of_line(self, number, line):
        text = line.strip()
        indent = line[: len(line) - len(line.lstrip())]
        assigned = re.match(r"([A-Za-z_]\w*)\s*=\s*!(.*)", text)
        if INSTALL.match(text):
            self.installs = True
            self.plain[number] = indent + "pass  # the packages are in the requirements"
            return indent + "pass"
        if text.startswith("%time "):
            self.plain[number] = indent + text[6:]
            return indent + text[6:]
        if IDLE_MAGIC.match(text) or re.match(r"^\??[\w.]+\?{1,2}$", text):
            self.plain[number] = indent + "pass  # " + text
            return indent + "pass"
        if text.startswith("%cd "):
            self.plain[number] = indent + "__import__('os').chdir(%r)" % text[4:].strip()
            self.doubt.append("it changes the folder")
            return indent + "pass"
        if assigned:
            self.doubt.append("it runs commands whose effect cannot be told")
            run = "%s = __import__('subprocess').run(%r, shell=True, capture_output=True, text=True).stdout.splitlines()"
            self.plain[number] = indent + run % assigned.groups()
            return indent + assigned.group(1) + " = []"
        if text.startswith("!"):
            self.doubt.append("it runs commands whose effect cannot be told")
            self.plain[number] = indent + "__import__('subprocess').run(%r, shell=True)" % text.lstrip("!").strip()
            return indent + "pass"
        if text.startswith("%"):
            self.doubt.append("it uses %s, which is only known in a notebook" % text.split()[0])
            self.plain[number] = indent + "pass  # " + text
            return indent + "pass"
        return line


def parses(code):
    try:
        ast.parse(code)
        return True
    except (SyntaxError, ValueError):
        return False
