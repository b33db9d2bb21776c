"""What each block of Python needs, makes and changes: names, modules, random numbers, files. Reads blocks, runs none of them.

Blocks are looked at in the order they ran in, since what a name means depends on what came before. Where something cannot be told,
more is kept. Uses the names of the parts that `python-program.ts` puts before it.
"""

import ast


class Block(Files, Names, Calls, ast.NodeVisitor):
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

    # --- statements -----------------------------------------------------------------------------------------------

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

    # --- definitions ----------------------------------------------------------------------------------------------

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

    # --- expressions ----------------------------------------------------------------------------------------------

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
