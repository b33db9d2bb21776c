"""What a call does, told by the name of what is called. Goes with python-facts.py: a block of it is one of these, too."""

import ast
import re


class Calls:
    """The part of a block that knows about calls. Needs `files_of` and what the rest knows about names."""

    def call(self, node, discarded, shown):
        arguments = list(node.args) + [keyword.value for keyword in node.keywords]
        for argument in arguments:
            self.visit(argument)
        function = node.func
        dotted = self.dotted(function)
        module = self.is_module(function)
        self.files_of(node, dotted, function)
        if CLOCK.search(dotted) and module:
            self.clock = True
        if NETWORK.search(dotted) and module:
            self.network = True
        if COMMANDS.search(dotted) and module:
            self.doubt.append("it runs commands whose effect cannot be told")
            self.read_all_files()
        if isinstance(function, ast.Name):
            self.read(function.id)
            self.of_name_call(node, function.id, dotted, discarded and not shown, module)
            return
        if module:
            self.visit(root_node(function))
            self.of_module_call(node, dotted)
            return
        self.visit(function)
        root = root_of(function)
        method = function.attr if isinstance(function, ast.Attribute) else ""
        if not root:
            return
        in_place = any(keyword.arg == "inplace" and getattr(keyword.value, "value", True) for keyword in node.keywords)
        own = any(method in value.changing for value in self.world.names.values())
        looks = method in PURE or method in LOOKING or method in AROUND or WRITING.match(method)
        if in_place or own or method in MUTATING or (discarded and not looks):
            self.change(root)

    def of_name_call(self, node, name, dotted, discarded, module):
        if name in self.local:
            return
        if module:
            self.of_module_call(node, dotted)
            return
        known = self.world.names.get(name)
        if self.inside:
            passed = [(index, root_of(argument)) for index, argument in enumerate(node.args)]
            self.calls.append((name, [each for each in passed if each[1] in self.parameters]))
        if known is not None and known.function:
            changed = known.function.changed_in(self.world)
            for index, argument in enumerate(node.args):
                parameters = known.function.parameters
                if index < len(parameters) and parameters[index] in changed:
                    self.change_root(argument)
            for keyword in node.keywords:
                if keyword.arg in changed:
                    self.change_root(keyword.value)
            return
        if name in ("exec", "eval", "globals", "locals", "vars", "compile", "__import__"):
            self.doubt.append("it uses %s(), and what that does cannot be told" % name)
        elif name in ("next", "setattr", "delattr"):
            for argument in node.args[:1]:
                self.change_root(argument)
        elif name == "input":
            self.doubt.append("it asks for input")
        elif discarded and name not in BUILTINS:
            for argument in node.args:
                self.change_root(argument)

    def of_module_call(self, node, dotted):
        last = dotted.rpartition(".")[2]
        top = dotted.partition(".")[0]
        if dotted in ("numpy.random.seed", "random.seed"):
            resource = "random:" + top
            if node.args and self.sure and not self.inside:
                self.binds.add(resource)
            else:
                self.note_change(resource)
        elif re.match(r"(numpy\.random|random)\.[a-z]", dotted) and last not in ("default_rng",):
            self.note_read("random:" + top)
            self.note_change("random:" + top)
        if dotted in CHANGE_FIRST:
            for argument in node.args[:1]:
                self.change_root(argument)
        if last in SETTINGS or re.search(r"\b(rcParams|options|environ|path|style)\.\w+$", dotted):
            if not dotted.startswith("os.path."):
                self.note_change("module:" + top)
                if top == "seaborn":
                    self.note_change("module:matplotlib")
                # These hold for everything that is shown, also where the module is not named.
                if top in ("pandas", "numpy", "polars", "locale", "decimal", "os", "sys", "torch") and not self.inside:
                    self.doubt.append("it changes how %s works" % top)
        if dotted == "os.chdir":
            self.note_read("folder")
            self.note_change("folder")

    def dotted(self, node):
        """`np.random.rand` as `numpy.random.rand`; the bare words where it is of no module."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Call):
            return ".".join(["()"] + parts[::-1])
        if not isinstance(node, ast.Name):
            return ".".join(["?"] + parts[::-1])
        value = self.world.names.get(node.id)
        root = value.module if value is not None and value.module and node.id not in self.local else node.id
        return ".".join([root] + parts[::-1])

    def is_module(self, node):
        root = root_node(node)
        value = self.world.names.get(root.id) if isinstance(root, ast.Name) and root.id not in self.local else None
        through = node
        while isinstance(through, ast.Attribute):
            through = through.value
        return value is not None and value.module is not None and isinstance(through, ast.Name)
