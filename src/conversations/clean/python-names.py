"""What a block does with names: which it looks up, which it binds, and what it changes by them. Goes with python-facts.py: a block of
it is one of these, too.
"""

import ast


class Names:
    """The part of a block that knows about names. Needs `world` and what the rest has noted so far."""

    def read(self, name):
        if name in self.local:
            return
        if name not in self.here:
            self.note_read("python:" + name)
        value = self.world.names.get(name)
        if value is None:
            return
        if value.module:
            self.note_read("module:" + value.module.partition(".")[0])
        if value.text is not None:
            self.mention(value.text)
        for other in value.carries:
            if other != name and "python:" + other not in self.reads:
                self.read(other)
        if value.function:
            self.of_function(value.function)
        if value.stateful:
            self.change(name)

    def note_read(self, resource):
        if resource not in self.binds:
            self.reads.add(resource)

    def bind(self, name, value=None):
        if name in self.local:
            return
        resource = "python:" + name
        if self.sure:
            self.binds.add(resource)
            self.changes.discard(resource)
        else:
            self.here.add(name)
            self.note_change(resource)
        if not self.inside:
            self.world.bind(name, value or Value())

    def change(self, name):
        if name in self.parameters:
            self.changed_parameters.add(name)
        if name in self.local:
            return
        for each in self.world.linked(name):
            value = self.world.names.get(each)
            if value is not None and value.module:
                self.note_change("module:" + value.module.partition(".")[0])
            elif each == name or value is not None or each not in BUILTINS:
                self.note_change("python:" + each)

    def note_change(self, resource):
        if resource not in self.binds:
            self.changes.add(resource)

    def change_root(self, node):
        root = root_of(node)
        if root:
            self.change(root)

    def of_function(self, function):
        if function in self.following:
            return
        self.following.append(function)
        for resource in function.reads:
            if resource.startswith("python:"):
                self.read(resource[7:])  # what it looks up may look up more
            else:
                self.note_read(resource)
        self.following.pop()
        for resource in function.changes:
            self.note_change(resource)
        for read in function.files_read:
            self.read_file(read)
        for made in function.files_made:
            self.make_file(made, sure=False)
        for changed in function.files_changed:
            self.make_file(changed, sure=False)
        self.doubt += [each for each in function.doubt if each not in self.doubt]

    def assign(self, target, value):
        if isinstance(target, ast.Name):
            known = self.value_of(value)
            sources = aliases_of(value, self.world)
            self.bind(target.id, known)
            for source in sources:
                if not self.inside and source not in self.local:
                    self.world.link(target.id, source)
        elif isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts) else None
            for index, each in enumerate(target.elts):
                self.assign(each.value if isinstance(each, ast.Starred) else each, values[index] if values else ast.Constant(None))
            if values is None and isinstance(value, ast.Call) and not self.inside:
                names = [each.id for each in target.elts if isinstance(each, ast.Name)]
                for other in names[1:]:
                    self.world.link(names[0], other)
            if values is None:
                carried = self.value_of(value).carries
                for each in target.elts:
                    if isinstance(each, ast.Name) and not self.inside and each.id in self.world.names:
                        self.world.names[each.id].carries |= carried
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)
        else:
            self.visit(target)
            root = root_of(target)
            if root:
                self.read(root)
                self.change(root)

    def value_of(self, node):
        """What can be known of a value from how it is written."""
        if isinstance(node, ast.Lambda):
            return Value(function=self.function_of(node.args, [ast.Expr(node.body)]))
        text = self.text_of(node)
        if text is not None:
            return Value(text=text)
        carries = set()
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load):
                known = self.world.names.get(each.id)
                if known is not None and (known.function or known.carries):
                    carries |= known.carries | ({each.id} if known.function else set())
        stateful = isinstance(node, ast.GeneratorExp) or isinstance(node, ast.Call) and bool(STATEFUL.search(self.dotted(node.func)))
        if isinstance(node, ast.Name) and node.id in self.world.names:
            known = self.world.names[node.id]
            return Value(function=known.function, stateful=known.stateful, carries=carries, module=known.module)
        return Value(stateful=stateful, carries=carries)

    def import_name(self, name, module, node):
        self.bind(name, Value(module=module))
        if not self.inside and id(node) in self.imported:
            self.binds.discard("python:" + name)
