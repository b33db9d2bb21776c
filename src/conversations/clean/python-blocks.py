"""Takes blocks of Python apart: imports that can stand at the top, what is left, and the same for a plain script. Goes with
python-facts.py, whose names it uses.
"""

import tokenize

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


def is_gatherable(statement, lines, alone):
    if not isinstance(statement, (ast.Import, ast.ImportFrom)) or not alone:
        return False
    if isinstance(statement, ast.ImportFrom):
        return statement.level == 0 and all(alias.name != "*" for alias in statement.names)
    return True


def take_apart(block, world):
    if "made" in block:  # a block of another language
        world.files |= set(block["made"])
        return None
    source = Source(block["code"])
    facts = {"doubt": list(source.doubt), "installs": source.installs, "imports": [], "needs": []}
    try:
        tree = ast.parse(source.python)
    except (SyntaxError, ValueError) as error:
        return dict(facts, problem=str(error), reads=[], binds=[], changes=[], modules=[], filesRead=[], filesMade=[], body=block["code"])
    lines = source.python.split("\n")
    statements = tree.body
    whole = block.get("upTo") is None
    if not whole:
        statements = [each for each in statements if each.end_lineno < block["upTo"]]
    imports = []
    for index, statement in enumerate(statements):
        before = index > 0 and statements[index - 1].end_lineno == statement.lineno
        after = index + 1 < len(tree.body) and tree.body[index + 1].lineno == statement.end_lineno
        alone = not before and not after and statement.col_offset == 0 and ";" not in lines[statement.end_lineno - 1]
        if is_gatherable(statement, lines, alone):
            imports.append(statement)
    suppressed = source.code.rstrip().endswith(";")
    shows = whole and bool(statements) and isinstance(statements[-1], ast.Expr) and not suppressed
    visitor = Block(world)
    visitor.imported = {id(each) for each in imports}
    visitor.run(statements, shows=shows)
    for made in source.made:
        visitor.make_file(visitor.place(made))
    if source.doubt:
        visitor.read_all_files()
    last = max([each.end_lineno for each in statements], default=0)
    text = "\n".join(source.code.split("\n") if whole else source.code.split("\n")[:last])
    shown = [each for each in statements if not isinstance(each, (ast.Import, ast.ImportFrom))]
    paths = path_edits(statements, source, world.folder)
    removed = [(each.lineno, each.end_lineno) for each in imports]
    facts.update(
        doubt=list(dict.fromkeys(visitor.doubt + source.doubt)),
        reads=sorted(each for each in visitor.reads if not is_builtin(each, world)),
        binds=sorted(visitor.binds),
        changes=sorted(visitor.changes),
        modules=sorted(visitor.modules),
        filesRead=sorted(visitor.files_read),
        filesMade=sorted(visitor.files_made | visitor.files_changed),
        network=visitor.network,
        clock=visitor.clock,
        awaits=visitor.awaits,
        shows=shows,
        looks=bool(shown) and all(isinstance(each, ast.Expr) and only_looks(each.value) for each in shown),
        body=without_lines(edited(text, paths), removed),
        unknown=sorted(
            each[7:] for each in visitor.reads if each.startswith("python:") and each[7:] not in world.names and each[7:] not in BUILTINS
        ),
    )
    facts["imports"] = [
        {
            "code": "\n".join(lines[each.lineno - 1 : each.end_lineno]),
            "names": [alias.asname or alias.name.partition(".")[0] for alias in each.names],
            "modules": [each.module] if isinstance(each, ast.ImportFrom) else [alias.name for alias in each.names],
        }
        for each in imports
    ]
    script(facts, source, statements, text, paths, removed, shows, visitor)
    return facts


def is_builtin(resource, world):
    name = resource[7:] if resource.startswith("python:") else None
    return name is not None and name in BUILTINS and name not in world.names


# --- the text -------------------------------------------------------------------------------------------------------


def path_edits(statements, source, folder):
    """Paths inside the folder are written as seen from it, so that the code works in another one."""
    edits = []
    for statement in statements:
        inside = {id(part) for node in ast.walk(statement) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
        for node in ast.walk(statement):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in inside:
                continue
            value = node.value
            if value != folder and not value.startswith(folder + "/"):
                continue
            segment = ast.get_source_segment(source.python, node) or ""
            try:
                same = ast.literal_eval(segment) == value and source.python == source.code
            except (SyntaxError, ValueError):
                same = False
            if same:
                edits.append((node, repr(os.path.relpath(value, folder) + ("/" if value.endswith("/") else ""))))
    return edits


def edited(text, edits):
    """Puts other text in the place of nodes. Columns count bytes."""
    lines = text.split("\n")
    for node, new in sorted(edits, key=lambda edit: (edit[0].lineno, edit[0].col_offset), reverse=True):
        first, last = node.lineno - 1, node.end_lineno - 1
        before = lines[first].encode("utf-8")[: node.col_offset].decode("utf-8")
        after = lines[last].encode("utf-8")[node.end_col_offset :].decode("utf-8")
        lines[first : last + 1] = (before + new + after).split("\n") + [""] * (last - first - new.count("\n"))
    return "\n".join(lines)


def without_lines(text, removed):
    lines = text.split("\n")
    for first, last in reversed(removed):
        del lines[first - 1 : last]
    return "\n".join(lines).strip("\n")


def script(facts, source, statements, text, paths, removed, shows, visitor):
    """The block for a plain program: what a session shows by itself is shown by a call."""
    if source.cell is not None and source.python == "":
        facts["script"] = source.whole
        return
    edits = list(paths)
    needs = set()
    for statement in statements:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            dotted = visitor.dotted(statement.value.func)
            if dotted in ("matplotlib.pyplot.show", "pylab.show"):
                edits.append((statement.value, "show_figures()"))
                needs.add("figures")
                continue
        if shows and statement is statements[-1]:
            call = isinstance(statement.value, ast.Call) and isinstance(statement.value.func, ast.Name)
            if call and statement.value.func.id in ("print", "display"):
                continue
            inner = [(node, new) for node, new in edits if node in list(ast.walk(statement))]
            edits = [edit for edit in edits if edit not in inner]
            segment = ast.get_source_segment(source.python, statement.value) or ""
            if not inner and segment:
                edits.append((statement.value, "show_value(%s)" % segment))
                needs.add("show")
            else:
                edits += inner
    if any(isinstance(node, ast.Name) and node.id == "display" for each in statements for node in ast.walk(each)):
        needs |= {"show", "display"}
    plain = edited(text, edits).split("\n")
    for number, line in source.plain.items():
        if number <= len(plain):
            plain[number - 1] = line
    made = without_lines("\n".join(plain), removed)
    if visitor.awaits:
        made = in_function(made, [each[7:] for each in sorted(visitor.binds | visitor.changes) if each.startswith("python:")])
    facts["script"] = made
    facts["needs"] = sorted(needs)


def in_function(text, names):
    """A block that waits at its top level, as a function that does; its names stay everybody's."""
    inside = set()
    try:
        for token in tokenize.generate_tokens(iter(text.splitlines(True)).__next__):
            if token.type == tokenize.STRING or token.type == getattr(tokenize, "FSTRING_MIDDLE", -1):
                inside |= set(range(token.start[0] + 1, token.end[0] + 1))
    except (tokenize.TokenError, IndentationError):
        pass
    lines = ["    " + line if line and number not in inside else line for number, line in enumerate(text.split("\n"), 1)]
    shared = ["    global " + ", ".join(names)] if names else []
    return "\n".join(["async def main():"] + shared + lines + ["", "", "__import__('asyncio').run(main())"])


# --- versions -------------------------------------------------------------------------------------------------------

# What a function needs without importing it itself.
ENGINES = {
    "openpyxl": r"\b(read_excel|to_excel|ExcelWriter)\b",
    "pyarrow": r"\b(read_parquet|to_parquet|read_feather|to_feather)\b",
    "lxml": r"\bread_html\b|\bto_xml\b|\bread_xml\b",
    "tables": r"\bto_hdf\b|\bread_hdf\b",
    "kaleido": r"\bwrite_image\b",
    "tabulate": r"\bto_markdown\b",
}


def versions(modules, codes, folder):
    """`name==version` for everything that was imported and installed from somewhere; and what was found nowhere."""
    from importlib import metadata

    owners = packages(metadata)
    standard = getattr(sys, "stdlib_module_names", None) or set(sys.builtin_module_names)
    wanted, missing, local = set(), set(), set()
    for module in modules:
        top = module.partition(".")[0]
        if not top or top in standard or top == "__future__":
            continue
        if os.path.exists(os.path.join(folder, top + ".py")) or os.path.isdir(os.path.join(folder, top)):
            local.add(top)
        elif top in owners:
            wanted |= set(owner_of(metadata, owners[top], module))
        elif not getattr(sys, "stdlib_module_names", None) and is_standard(top):
            continue
        else:
            missing.add(top)
    for name, pattern in ENGINES.items():
        if any(re.search(pattern, code) for code in codes):
            wanted |= set(owners.get(name, ()))
    pinned = {}
    for name in wanted:
        try:
            pinned[name.lower()] = "%s==%s" % (name, metadata.version(name))
        except metadata.PackageNotFoundError:
            missing.add(name)
    return {
        "requirements": [pinned[name] for name in sorted(pinned)],
        "missing": sorted(missing),
        "local": sorted(local),
        "python": "%d.%d" % sys.version_info[:2],
    }


def packages(metadata):
    if hasattr(metadata, "packages_distributions"):
        return {name: list(dict.fromkeys(found)) for name, found in metadata.packages_distributions().items()}
    owners = {}
    for distribution in metadata.distributions():
        for name in (distribution.read_text("top_level.txt") or "").split():
            owners.setdefault(name, []).append(distribution.metadata["Name"])
    return owners


def owner_of(metadata, names, module):
    """Several packages may share a first name: the one that has the file is meant."""
    if len(names) == 1:
        return names
    path = module.replace(".", "/")
    found = [each for each in names if any(str(file).startswith((path + "/", path + ".")) for file in metadata.files(each) or ())]
    return found or names


def is_standard(top):
    import importlib.util

    found = importlib.util.find_spec(top)
    return found is not None and "site-packages" not in (found.origin or "")


def answer(request):
    if "modules" in request:
        return versions(request["modules"], request["codes"], request["folder"])
    world = World(os.path.normpath(request["folder"]))
    return [take_apart(block, world) for block in request["blocks"]]
