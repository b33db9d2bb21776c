"""What blocks of Python may be made of, and what is known of names after a number of blocks. Goes with python-facts.py."""

import builtins
import re

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
