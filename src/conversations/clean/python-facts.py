"""What each block of Python needs, makes and changes: names, modules, random numbers, files. Reads blocks, runs none of them.

Gets {"blocks": [{"code", "upTo"}], "folder"} as JSON on stdin and answers with one object a block on stdout. Blocks are looked at
in the order they ran in, since what a name means depends on what came before. Where something cannot be told, more is kept.
Uses the names of python-world.py and python-files.py, which are put before it.
"""

import ast
import json
import os
import re
import sys


class Block(Files, ast.NodeVisitor):
    """Goes through the statements of one block, or of one function in it."""

    def __init__(self, world, local=(), parameters=(), inside=False):
        self.world = world
        self.local = set(local)
        self.inside = inside  # of a function or a class
        self.parameters = set(parameters)
        self.changed_parameters = set()
        self.reads, self.binds, self.changes = set(), set(), set()
        self.modules, self.doubt = set(), []
        self.files_read, self.files_made, self.files_changed = set(), set(), set()
        self.network = self.clock = self.awaits = False
        self.sure = True  # whether what is visited now always runs
        self.imported = set()
        self.here = set()  # bound in the branch that is visited now
        self.calls = []
        self.following = []

    # --- names ----------------------------------------------------------------------------------------------

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

    # --- statements -----------------------------------------------------------------------------------------

    def run(self, statements, shows=False):
        for index, statement in enumerate(statements):
            last = index == len(statements) - 1
            if isinstance(statement, ast.Expr):
                self.expression_statement(statement.value, shown=shows and last)
            else:
                self.visit(statement)

    def expression_statement(self, node, shown):
        inner = node.value if isinstance(node, ast.Await) else node
        if isinstance(node, ast.Await):
            self.awaits = True
        if isinstance(inner, ast.Call):
            self.call(inner, discarded=True, shown=shown)
        else:
            self.visit(node)

    def unsure(self, *groups):
        before, self.sure = self.sure, False
        here = set(self.here)
        for statements in groups:
            self.run(statements)
            self.here = set(here)
        self.sure = before

    def visit_Expr(self, node):
        self.expression_statement(node.value, shown=False)

    def visit_Assign(self, node):
        self.visit(node.value)
        for target in node.targets:
            self.assign(target, node.value)

    def visit_AnnAssign(self, node):
        self.visit(node.annotation)
        if node.value is not None:
            self.visit(node.value)
            self.assign(node.target, node.value)

    def visit_AugAssign(self, node):
        self.visit(node.value)
        root = root_of(node.target)
        if root:
            self.read(root)
            self.change(root)
        if not isinstance(node.target, ast.Name):
            self.visit(node.target)

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        self.assign(node.target, node.value)

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

    def visit_Delete(self, node):
        for target in node.targets:
            root = root_of(target)
            if root:
                self.read(root)
                self.change(root)

    def visit_Import(self, node):
        for alias in node.names:
            self.modules.add(alias.name)
            name = alias.asname or alias.name.partition(".")[0]
            self.import_name(name, alias.name if alias.asname else name, node)

    def visit_ImportFrom(self, node):
        module = "." * node.level + (node.module or "")
        self.modules.add(module)
        for alias in node.names:
            if alias.name == "*":
                self.doubt.append("it takes every name of %s" % module)
            else:
                self.import_name(alias.asname or alias.name, module + "." + alias.name, node)

    def import_name(self, name, module, node):
        self.bind(name, Value(module=module))
        if not self.inside and id(node) in self.imported:
            self.binds.discard("python:" + name)

    def visit_FunctionDef(self, node):
        for each in node.decorator_list + node.args.defaults + [each for each in node.args.kw_defaults if each]:
            self.visit(each)
        function = self.function_of(node.args, node.body)
        self.bind(node.name, Value(function=function))
        if node.decorator_list:
            # What a decorator does with it cannot be told.
            self.of_function(function)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self.of_function(self.function_of(node.args, [ast.Expr(node.body)]))

    def function_of(self, arguments, body):
        names = [each.arg for each in getattr(arguments, "posonlyargs", []) + arguments.args]
        others = [each.arg for each in arguments.kwonlyargs + [each for each in (arguments.vararg, arguments.kwarg) if each]]
        local, shared = bound_in(body)
        inner = Block(self.world, (local | set(names) | set(others) | self.local) - shared, tuple(names) + tuple(others), inside=True)
        inner.run(body)
        function = Function()
        function.parameters, function.changed = names, inner.changed_parameters
        function.reads = inner.reads
        function.changes = inner.changes | inner.binds
        function.files_read, function.files_made, function.files_changed = inner.files_read, inner.files_made, inner.files_changed
        function.doubt = inner.doubt
        function.calls = inner.calls
        self.modules |= inner.modules
        self.network |= inner.network
        self.clock |= inner.clock
        return function

    def visit_ClassDef(self, node):
        for each in node.decorator_list + node.bases + [keyword.value for keyword in node.keywords]:
            self.visit(each)
        local, _ = bound_in(node.body)
        carries, changing = set(), set()
        whole = Function()
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                function = self.function_of(statement.args, statement.body)
                whole.reads |= function.reads
                whole.changes |= function.changes
                whole.files_read |= function.files_read
                whole.files_made |= function.files_made
                whole.files_changed |= function.files_changed
                whole.doubt += function.doubt
                if function.parameters[:1] and function.parameters[0] in function.changed:
                    changing.add(statement.name)
            else:
                inner = Block(self.world, local | self.local, inside=True)
                inner.run([statement])
                self.reads |= {each for each in inner.reads if each not in self.binds}
        self.bind(node.name, Value(function=whole, carries=carries, changing=changing))

    def visit_If(self, node):
        self.visit(node.test)
        if is_main_test(node.test):
            self.run(node.body)
        else:
            self.unsure(node.body, node.orelse)

    def visit_For(self, node):
        self.visit(node.iter)
        here = set(self.here)
        before, self.sure = self.sure, False
        self.assign(node.target, ast.Constant(None))
        root = root_of(node.iter)
        if root and not self.inside:
            for name in names_in(node.target):
                self.world.link(name, root)
        self.sure = before
        self.unsure(node.body, node.orelse)
        self.here = here

    visit_AsyncFor = visit_For

    def visit_While(self, node):
        self.visit(node.test)
        self.unsure(node.body, node.orelse)

    def visit_With(self, node):
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, item.context_expr)
        self.run(node.body)

    visit_AsyncWith = visit_With

    def visit_Try(self, node):
        self.unsure(node.body)
        for handler in node.handlers:
            if handler.type is not None:
                self.visit(handler.type)
            self.unsure(handler.body)
        self.unsure(node.orelse)
        self.run(node.finalbody)

    visit_TryStar = visit_Try

    def visit_Match(self, node):
        self.visit(node.subject)
        for case in node.cases:
            before, self.sure = self.sure, False
            for each in ast.walk(case.pattern):
                name = getattr(each, "name", None) or getattr(each, "rest", None)
                if isinstance(name, str):
                    self.bind(name)
            self.sure = before
            if case.guard:
                self.visit(case.guard)
            self.unsure(case.body)

    def visit_Global(self, node):
        pass

    visit_Nonlocal = visit_Global

    # --- expressions ----------------------------------------------------------------------------------------

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load):
            self.read(node.id)

    def visit_Await(self, node):
        self.awaits = True
        self.visit(node.value)

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            self.mention(node.value)

    def visit_BinOp(self, node):
        text = self.text_of(node)
        if text is None:
            self.generic_visit(node)
        else:
            self.mention(text)
            for each in ast.walk(node):
                if isinstance(each, ast.Name):
                    self.read(each.id)

    visit_JoinedStr = visit_BinOp

    def comprehension(self, node, *results):
        before = set(self.local)
        for generator in node.generators:
            self.visit(generator.iter)
            self.local |= set(names_in(generator.target))
            for test in generator.ifs:
                self.visit(test)
        for result in results:
            self.visit(result)
        self.local = before

    def visit_ListComp(self, node):
        self.comprehension(node, node.elt)

    visit_SetComp = visit_GeneratorExp = visit_ListComp

    def visit_DictComp(self, node):
        self.comprehension(node, node.key, node.value)

    def visit_Call(self, node):
        self.call(node, discarded=False, shown=False)

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

    def change_root(self, node):
        root = root_of(node)
        if root:
            self.change(root)

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


def root_node(node):
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call, ast.Starred, ast.Await)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node


def root_of(node):
    """The name that `a.b[0].c()` begins with."""
    root = root_node(node)
    return root.id if isinstance(root, ast.Name) else None


def aliases_of(node, world):
    """The names whose value a value may share."""
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        root = root_of(node)
        value = world.names.get(root) if root else None
        return [root] if root and not (value is not None and value.module) else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        root = root_of(node.func)
        value = world.names.get(root) if root else None
        if root is None or (value is not None and value.module) or node.func.attr in PURE or WRITING.match(node.func.attr):
            return []
        return [root]
    if isinstance(node, ast.IfExp):
        return aliases_of(node.body, world) + aliases_of(node.orelse, world)
    if isinstance(node, ast.Await):
        return aliases_of(node.value, world)
    return []


def names_in(target):
    return [each.id for each in ast.walk(target) if isinstance(each, ast.Name)]


def bound_in(body):
    """The names that a function makes its own, and those it says are not."""
    local, shared = set(), set()
    todo = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            local.add(node.name)
            continue
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            continue
        if isinstance(node, ast.Global):
            shared |= set(node.names)
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            local.add(node.id)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            local |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        if isinstance(node, ast.ExceptHandler) and node.name:
            local.add(node.name)
        name = getattr(node, "name", None) if type(node).__name__ in ("MatchAs", "MatchStar") else None
        if name:
            local.add(name)
        todo += list(ast.iter_child_nodes(node))
    return local - shared, shared


def is_main_test(test):
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"


def only_looks(node):
    """Whether an expression does no more than look at what something is like."""
    if isinstance(node, ast.Attribute):
        return node.attr in LOOKING or node.attr in AROUND and only_looks(node.value)
    if isinstance(node, ast.Subscript):
        return only_looks(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return only_looks(node.func)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in LOOKING:
            return True
        said = [each for each in node.args if not (isinstance(each, ast.Constant) and isinstance(each.value, str))]
        return node.func.id in AROUND and bool(said) and all(only_looks(each) for each in said)
    return False
