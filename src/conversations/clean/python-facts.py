"""What each block of Python needs, makes and changes: names, modules, random numbers, files. Reads blocks, runs none of them.

Gets {"blocks": [{"code", "upTo"}], "folder"} as JSON on stdin and answers with one object a block on stdout. Blocks are looked at
in the order they ran in, since what a name means depends on what came before. Where something cannot be told, more is kept.
"""

import ast
import builtins
import fnmatch
import json
import os
import re
import sys

BUILTINS = set(dir(builtins)) | {"display", "get_ipython", "In", "Out", "_", "__name__", "__file__"}

# Methods that leave what they are called on as it is, and give something of its own.
PURE = set(
    """abs add_prefix add_suffix agg aggregate all any apply applymap argmax argmin argsort asfreq assign astype at_time between
    bfill capitalize casefold center clip combine combine_first copy corr corrwith count cov cummax cummin cumprod cumsum decode
    deepcopy describe diff difference divide dot drop drop_duplicates dropna dt duplicated encode endswith eq eval ewm expanding
    explode ffill fillna filter find first first_valid_index flatten floordiv format format_map from_dict ge get get_group groupby
    gt head hist_data idxmax idxmin index info infer_objects interpolate intersection isalpha isdigit isin isna isnull issubset
    issuperset items iterrows itertuples join keys kurt last le ljust lower lstrip lt map mask max mean median melt memory_usage
    merge min mod mode mul multiply ne nlargest notna notnull nsmallest nunique partition pct_change pipe pivot pivot_table pow
    predict predict_proba prod product quantile query rank reindex rename rename_axis repeat replace resample reset_index rfind
    rindex rjust rolling round rpartition rsplit rstrip sample score searchsorted select select_dtypes sem set_axis set_index shift
    size skew sort_index sort_values split splitlines squeeze stack startswith std str strip sub subtract sum swapcase tail take
    title to_dict to_frame to_list to_numpy tolist to_string to_period to_timestamp transform translate transpose truediv union
    unique unstack upper value_counts values var where with_columns xs zfill lazy collect group_by over alias cast is_null is_in
    nbytes shape dtypes columns exists is_file is_dir read_text read_bytes iterdir glob rglob stat resolve absolute relative_to
    as_posix with_suffix with_name match search findall finditer fullmatch group groups span sub most_common elements total_seconds
    isoformat strftime strptime date time timetuple timestamp weekday bit_length as_integer_ratio conjugate hex get_params
    get_feature_names_out decision_function to_markdown to_html to_json to_csv to_latex __repr__ __str__ __len__""".split()
)
# Methods that change what they are called on, whatever is done with what they give.
MUTATING = set(
    """append extend insert remove pop popitem clear update setdefault add discard sort reverse appendleft popleft extendleft rotate
    push fit fit_transform fit_predict partial_fit train learn step backward zero_grad compile write writelines writerow writerows
    read readline readlines seek truncate close flush send put get_nowait execute executemany executescript fetchone fetchall
    fetchmany commit rollback set_index_ itemset fill resize partition_ put_ setflags subtract_ register increment advance add_node
    add_edge add_nodes_from add_edges_from remove_node remove_edge load_state_dict set_params manual_seed""".split()
)
# Ways of looking at something that only a person who explores needs, and what may stand around them.
LOOKING = set("head tail sample info describe shape dtypes columns memory_usage isnull isna notnull notna dtype ndim type dir help".split())
AROUND = set("print display sum any all mean round to_string list str repr sorted T len".split())
# What of a module changes how the rest of it behaves.
SETTINGS = set(
    """use set_option reset_option option_context set_theme set_style set_palette set_context set rc rcdefaults filterwarnings
    simplefilter basicConfig chdir setlocale set_printoptions seterr seterrcall set_loglevel setrecursionlimit putenv load_dotenv
    set_defaults register_converters set_default_backend set_start_method manual_seed set_seed enable disable_warnings install
    setLevel getLogger_ disable set_num_threads set_float32_matmul_precision use_backend set_verbosity""".split()
)
# Functions that change what they are given.
CHANGE_FIRST = {
    "random.shuffle", "numpy.random.shuffle", "heapq.heappush", "heapq.heappop", "heapq.heapify", "heapq.heapreplace",
    "heapq.heappushpop", "bisect.insort", "bisect.insort_left", "bisect.insort_right", "numpy.copyto", "numpy.put", "numpy.place",
    "numpy.putmask", "numpy.fill_diagonal", "operator.setitem", "operator.delitem",
}  # fmt: skip
# Values that are another after each look.
STATEFUL = re.compile(
    r"(^|\.)(default_rng|RandomState|Random|SystemRandom|Generator|iter|open|reader|DictReader|writer|DictWriter|map|zip|filter|"
    r"enumerate|reversed|count|cycle|cursor|connect|Popen|Queue|deque|StringIO|BytesIO|urlopen)$"
)
WRITING = re.compile(
    r"^(to_(csv|json|excel|parquet|pickle|html|feather|markdown|latex|hdf|xml|stata|orc|file|netcdf|zarr|video_file|gif)|savefig|save|"
    r"write_(image|html|csv|parquet|json|excel|ipc|text|bytes|gif|videofile|pdf)|imsave|imwrite|tofile|savetxt|savez|savez_compressed|"
    r"dump|export\w*|output|render|urlretrieve|extractall|print_png|print_figure)$"
)
PATH_WORDS = ("path_or_buf", "path", "fname", "filename", "file", "fp", "excel_writer", "buf", "target", "where", "file_name")
NETWORK = re.compile(r"^(requests|httpx|aiohttp|urllib\.request|urllib3|yfinance|socket|ftplib|smtplib|boto3)\b")
COMMANDS = re.compile(r"^(os\.(system|popen|spawn\w*|exec\w*|startfile)|subprocess\.|pty\.|multiprocessing\.)")
CLOCK = re.compile(r"(^|\.)(now|today|utcnow|time|time_ns|perf_counter|uuid1|uuid4|urandom|token_hex|getpid)$")


class Value:
    """What is known of what a name stands for."""

    def __init__(self, module=None, function=None, stateful=False, text=None, carries=(), changing=()):
        self.module = module  # the dotted name it was imported as
        self.function = function  # a Function, for one that a block defines
        self.stateful = stateful
        self.text = text  # a string, or a path, that is written down
        self.carries = set(carries)  # names that are looked up later, when it is used
        self.changing = set(changing)  # methods that change it, for a class of a block


class Function:
    def __init__(self):
        self.reads, self.changes, self.parameters, self.changed = set(), set(), [], set()
        self.files_read, self.files_made, self.files_changed = set(), set(), set()
        self.doubt = []
        self.calls = []  # (the name it calls, which of its parameters go where)

    def changed_in(self, world, depth=0):
        """The parameters it changes, also through what it calls."""
        found = set(self.changed)
        for name, passed in self.calls if depth < 5 else ():
            other = world.names.get(name)
            if other is not None and other.function:
                changed = other.function.changed_in(world, depth + 1)
                names = other.function.parameters
                found |= {each for index, each in passed if index < len(names) and names[index] in changed}
        return found


class World:
    """What the blocks before have left."""

    def __init__(self, folder):
        self.folder = folder
        self.names = {}
        self.links = {}
        self.files = set()  # made by blocks
        self.counts = 0

    def bind(self, name, value):
        for other in self.links.pop(name, ()):
            self.links.get(other, set()).discard(name)
        self.names[name] = value

    def link(self, one, other):
        if one != other:
            self.links.setdefault(one, set()).add(other)
            self.links.setdefault(other, set()).add(one)

    def linked(self, name):
        found, todo = {name}, [name]
        while todo:
            for other in self.links.get(todo.pop(), ()):
                if other not in found:
                    found.add(other)
                    todo.append(other)
        return found


class Block(ast.NodeVisitor):
    """Goes through the statements of one block, or of one function in it."""

    def __init__(self, world, local=(), parameters=()):
        self.world = world
        self.local = set(local)
        self.inside = bool(local) or parameters != ()  # of a function
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
            elif each == name or value is not None:
                self.note_change("python:" + each)

    def note_change(self, resource):
        if resource not in self.binds:
            self.changes.add(resource)

    def of_function(self, function):
        self.reads |= {each for each in function.reads if each not in self.binds}
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
        inner = Block(self.world, (local | set(names) | set(others) | self.local) - shared, tuple(names) + tuple(others))
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
                inner = Block(self.world, local | self.local, ("",))
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

    # --- files ----------------------------------------------------------------------------------------------

    def text_of(self, node):
        """The string, or the path, that an expression stands for, where it is written down."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.Name) and node.id not in self.local:
            value = self.world.names.get(node.id)
            return value.text if value is not None else None
        if isinstance(node, ast.JoinedStr):
            parts = [self.text_of(each.value if isinstance(each, ast.FormattedValue) else each) for each in node.values]
            return "".join(parts) if all(part is not None for part in parts) else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Div)):
            left, right = self.text_of(node.left), self.text_of(node.right)
            if left is None or right is None:
                return None
            return left + right if isinstance(node.op, ast.Add) else os.path.join(left, right)
        if isinstance(node, ast.Call):
            dotted = self.dotted(node.func)
            parts = [self.text_of(each) for each in node.args]
            if dotted in ("pathlib.Path", "os.path.join", "pathlib.PurePath", "os.fspath", "str", "os.path.abspath") and parts:
                return os.path.join(*parts) if all(part is not None for part in parts) else None
            if dotted in ("pathlib.Path.cwd", "os.getcwd"):
                return self.world.folder
            if dotted == "pathlib.Path":
                return "."
        return None

    def place(self, path):
        """A path as it is seen from the folder; None for what is no file."""
        if not path or "\n" in path or "\0" in path or len(path) > 1000 or re.match(r"[a-z][a-z0-9+.-]+://", path):
            return None
        whole = os.path.normpath(os.path.join(self.world.folder, os.path.expanduser(path)))
        inside = whole == self.world.folder or whole.startswith(self.world.folder + os.sep)
        return os.path.relpath(whole, self.world.folder) if inside else whole

    def read_file(self, place):
        if place is not None and "file:" + place not in self.binds:
            self.files_read.add(place)
            self.note_read("file:" + place)
            self.note_read("folder")

    def make_file(self, place, sure=True):
        if place is None:
            return
        self.note_read("folder")
        if not self.inside:
            self.world.files.add(place)
        if sure and self.sure:
            self.files_made.add(place)
            self.binds.add("file:" + place)
        else:
            self.files_changed.add(place)
            self.note_change("file:" + place)

    def read_all_files(self):
        for place in list(self.world.files):
            self.read_file(place)

    def mention(self, text):
        """A string that names a file is taken as reading it: which function opens it does not matter."""
        place = self.place(text)
        if place is None or place == "." or "file:" + place in self.binds:
            return
        if place in self.world.files or os.path.isfile(os.path.join(self.world.folder, place)):
            self.read_file(place)
        elif any(sign in text for sign in "*?["):
            self.read_matching(place)

    def read_matching(self, pattern):
        for each in sorted(self.world.files):
            if fnmatch.fnmatch(each, pattern):
                self.read_file(each)
        top = os.path.dirname(pattern.split("*")[0])
        if not os.path.isabs(pattern) and not any(sign in top for sign in "?["):
            for each in walk_files(self.world.folder, top):
                if fnmatch.fnmatch(each, pattern) and each not in self.world.files:
                    self.read_file(each)

    def read_folder(self, place):
        for each in sorted(self.world.files):
            if place == "." or each.startswith(place + os.sep):
                self.read_file(each)
        for each in walk_files(self.world.folder, "" if place == "." else place):
            if each not in self.world.files:
                self.read_file(each)

    def path_in(self, node, positions):
        """Which argument names the file: (found, where it is, or None when that is only known later)."""
        for keyword in node.keywords:
            if keyword.arg in PATH_WORDS:
                return keyword.value
        for position in positions:
            if position < len(node.args):
                return node.args[position]
        return None

    def files_of(self, node, dotted, function):
        method = dotted.rpartition(".")[2]
        receiver = self.text_of(function.value) if isinstance(function, ast.Attribute) else None
        if dotted in ("open", "io.open", "gzip.open", "bz2.open", "lzma.open", "codecs.open", "zipfile.ZipFile", "tarfile.open"):
            return self.opened(node, self.path_in(node, [0]), 1)
        if method == "open" and receiver is not None:
            return self.opened(node, function.value, 0)
        if method in ("write_text", "write_bytes", "touch") and isinstance(function, ast.Attribute):
            place = self.place(receiver) if receiver is not None else None
            return self.make_file(place, sure=method != "touch") if place else self.unknown_file()
        if method in ("read_text", "read_bytes") and receiver is not None:
            return self.read_file(self.place(receiver))
        if dotted in ("os.listdir", "os.walk", "os.scandir") or method in ("iterdir", "glob", "rglob", "iglob"):
            return self.listed(node, dotted, method, receiver)
        if dotted in ("sqlite3.connect", "duckdb.connect"):
            text = self.text_of(self.path_in(node, [0]) or ast.Constant(""))
            place = self.place(text) if text not in (None, "", ":memory:") else None
            if place:
                self.read_file(place)
                self.make_file(place, sure=False)
            return None
        if dotted in ("os.makedirs", "os.mkdir") or method == "mkdir":
            text = self.text_of(node.args[0]) if dotted.startswith("os.") and node.args else receiver
            place = self.place(text) if text else None
            return self.note_change("place:" + place) if place else self.doubt.append("it makes folders")
        if dotted in ("os.remove", "os.unlink", "shutil.rmtree", "os.rmdir") or method in ("unlink", "rmdir"):
            text = self.text_of(node.args[0]) if not method == "unlink" and node.args else receiver
            place = self.place(text) if text else None
            return self.make_file(place, sure=False) if place else self.doubt.append("it deletes files")
        if re.match(r"(shutil\.(copy\w*|move)|os\.(rename|replace|link|symlink))$", dotted):
            places = [self.place(self.text_of(each) or "") for each in node.args[:2]]
            if len(places) < 2 or None in places:
                return self.doubt.append("it copies files whose names are only known when it runs")
            self.read_file(places[0])
            return self.make_file(places[1])
        if WRITING.match(method):
            return self.written(node, dotted, method, function)
        if re.match(r"(os\.path\.(exists|isfile)|os\.stat)$", dotted) and node.args:
            place = self.place(self.text_of(node.args[0]) or "")
            return self.read_file(place) if place in self.world.files else None
        return None

    def opened(self, node, path, position):
        mode = next((keyword.value for keyword in node.keywords if keyword.arg == "mode"), None)
        if mode is None and position < len(node.args):
            mode = node.args[position]
        written = self.text_of(mode) if mode is not None else "r"
        text = self.text_of(path) if path is not None else None
        place = self.place(text) if text is not None else None
        if place is None:
            if written is None or re.search("[wax+]", written):
                self.unknown_file()
            else:
                self.read_all_files()
        elif written is None or "+" in written or "a" in written:
            self.read_file(place)
            self.make_file(place, sure=False)
        elif re.search("[wx]", written):
            self.files_read.discard(place)
            self.reads.discard("file:" + place)
            self.make_file(place)
        else:
            self.read_file(place)
        return None

    def written(self, node, dotted, method, function):
        second = dotted in ("json.dump", "pickle.dump", "yaml.dump", "joblib.dump", "torch.save", "toml.dump", "urllib.request.urlretrieve")
        path = self.path_in(node, [1] if second else [0])
        if path is None:
            return None  # df.to_csv() gives text
        text = self.text_of(path)
        place = self.place(text) if text is not None else None
        if place is not None:
            if method not in ("extractall",):
                self.files_read.discard(place)
                self.reads.discard("file:" + place)
                return self.make_file(place)
            return self.doubt.append("it unpacks files")
        if isinstance(path, ast.Name) and (text is None):
            return self.change(path.id) if path.id in self.local or path.id in self.world.names else self.unknown_file()
        return self.unknown_file()

    def unknown_file(self):
        self.doubt.append("it writes files whose names are only known when it runs")

    def listed(self, node, dotted, method, receiver):
        first = self.text_of(node.args[0]) if node.args else None
        if dotted.startswith("os."):
            place = self.place(first or ".")
            return self.read_folder(place) if place else None
        if dotted.startswith("glob."):
            return self.read_matching(self.place(first) or first) if first else self.read_all_files()
        if receiver is None:
            return self.read_all_files() if method != "iterdir" else None
        if method == "iterdir":
            return self.read_folder(self.place(receiver) or receiver)
        pattern = os.path.join(receiver, ("*" if method == "rglob" else "") + (first or "*"))
        return self.read_matching(self.place(pattern) or pattern)


def walk_files(folder, top):
    """The files below a folder, as seen from the first; not those of tools, and not without end."""
    found = []
    for at, folders, files in os.walk(os.path.join(folder, top)):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in ("node_modules", "__pycache__"))
        found += [os.path.relpath(os.path.join(at, each), folder) for each in sorted(files) if not each.startswith(".")]
        if len(found) > 5000:
            break
    return found


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
