"""Brings back what a session has saved: the folder and the environment, modules, and values, each after those that it holds. What
cannot be brought back is named with the reason; nothing of it keeps the rest away.
"""

import base64
import os
import re
import sys

BLOCK = re.compile(r"<block (\d+)>$")

state = driver.companion("state")


def restore(command):
    details = command["details"]
    if command["by"] != state.saved_by() or details["bytecode"] != state.bytecode():
        return {"problem": "They were saved by %s, and this is %s." % (command["by"], state.saved_by())}
    state.generation = details["generation"] + 1
    blocks = driver.companion("blocks")
    later = [blocks.facts(code) for code in command["later"]]
    touched = set().union(*(each.written | each.changed | each.deleted for each in later)) if later else set()
    back = Back(command, details)
    with driver.companion("quiet").quiet():
        back.surroundings()
        try:
            back.modules()
            back.values()
        except KeyboardInterrupt:
            back.rest = "bringing it back took too long"
        back.leave_out_rest()
    state.known[".seen"], state.known[".imported"] = list(blocks.sources()), details["imported"]
    return {
        "back": sorted(back.bound),
        "gone": [{"name": name, "gone": reason} for name, reason in sorted(back.gone.items()) if not name.startswith(".")],
        "older": sorted((touched & back.bound) - set(details["modules"])),
        "notes": back.notes,
    }


class Back:
    def __init__(self, command, details):
        self.details, self.folder = details, command["folder"]
        self.made = {entry["name"]: entry.get("made") for entry in command["names"]}
        self.loaded, self.gone, self.bound, self.notes = {}, {}, set(), []
        self.units = {name: unit for unit in details["units"] for name in unit["names"]}
        self.rest = "what it holds is not there"

    def surroundings(self):
        folder = self.details.get("cwd")
        if folder:
            try:
                os.chdir(folder)
            except OSError:
                self.notes.append("The folder %s is not there any more; it starts in %s." % (folder, os.getcwd()))
        os.environ.update(self.details["environment"])
        for name in self.details["unset"]:
            os.environ.pop(name, None)
        sys.path.extend(each for each in self.details["path"] if each not in sys.path)

    def modules(self):
        import importlib

        for name in self.details["imported"]:
            driver.attempt(lambda: importlib.import_module(name))
        for name, module in self.details["modules"].items():
            try:
                self.bind(name, importlib.import_module(module))
            except Exception as error:
                self.gone[name] = "module %s: %s" % (module, state.between.first_line(error))

    def values(self):
        pickling = driver.companion("pickle")
        pickling.renaming = self.renamed
        for name, code in self.details["sources"].items():
            driver.remember_source(code, self.renamed(name))
        try:
            for name in self.units:
                self.load(name)
        finally:
            pickling.renaming = None

    def renamed(self, name):
        """Blocks of this process have the same names as those of the other."""
        found = BLOCK.match(name)
        if not found:
            return name
        number, times = found.group(1), state.generation
        return "<earlier block %s>" % number if times == 1 else "<earlier block %s (%d)>" % (number, times)

    def load(self, wanted):
        """A value after those that it needs."""
        todo = [wanted]
        while todo:
            name = todo[-1]
            unit = self.units.get(name)
            if unit is None or name in self.loaded or name in self.gone:
                todo.pop()
                continue
            first = [each for each in unit["needs"] if each in self.units and each not in self.loaded and each not in self.gone]
            if first and first[0] not in todo:
                todo.append(first[0])
                continue
            todo.pop()
            self.load_unit(unit)

    def load_unit(self, unit):
        pickling = driver.companion("pickle")
        try:
            data = self.read(unit)
            values = pickling.Reader(data, self.loaded).load()
        except KeyboardInterrupt:
            raise
        except pickling.Missing as error:
            self.gone.update(dict.fromkeys(unit["names"], "what it holds is not there" if str(error)[0] == "." else "it holds %s" % error))
        except Damaged as error:
            self.gone.update(dict.fromkeys(unit["names"], str(error)))
        except BaseException as error:
            reason = "it could not be read: %s: %s" % (type(error).__name__, state.between.first_line(error))
            self.gone.update(dict.fromkeys(unit["names"], reason))
        else:
            for name, value in zip(unit["names"], values):
                self.loaded[name] = value
                if not name.startswith("."):
                    self.bind(name, value)
                kind = driver.companion("inspect").type_name(value)
                state.known[name] = dict(unit, id=id(value), type=kind, made=self.made.get(name), bytes=len(data), cost=0)

    def read(self, unit):
        if "data" in unit:
            return base64.b64decode(unit["data"])
        import hashlib

        try:
            with open(os.path.join(self.folder, os.path.basename(unit["file"])), "rb") as file:
                data = file.read()
        except OSError:
            raise Damaged("its file is missing") from None
        if hashlib.sha256(data).hexdigest() != unit["sha256"]:
            raise Damaged("its file is damaged")
        return data

    def bind(self, name, value):
        driver.namespace[name] = value
        self.bound.add(name)

    def leave_out_rest(self):
        for name in list(self.units) + list(self.details["modules"]):
            if name not in self.bound and name not in self.gone and not name.startswith("."):
                self.gone[name] = self.rest


class Damaged(Exception):
    """What was written is not there as it was written."""
