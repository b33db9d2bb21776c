"""The text that stands for a value: whole where it is small, head, tail and size where it is not. Never builds a text
that nobody could read, however large the value is.
"""

import collections
import itertools
import operator
import pprint
import sys

LONGEST_TEXT = 1_000_000
LONGEST_STRING = 20_000  # inside something else
MOST_ITEMS = 1_000  # of one container; a notebook shows as many
HEAD, TAIL = 100, 20  # of a container with more
MOST_NODES = 20_000  # of everything together
MOST_ROWS = 20
FOOTER_AFTER = 10  # rows
MOST_CELLS_COUNTED = 5_000_000
WIDTH = 100
CONTAINERS = (list, tuple, dict, set, frozenset, collections.deque)
VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
ATOMS = (int, float, bool, complex, type(None))


def text_of(value):
    kind = type(value)
    library = kind.__module__.partition(".")[0]
    if library in LIBRARIES:
        made = driver.attempt(lambda: LIBRARIES[library](value))
        if made is not None:
            return bounded(made)
    if kind in (str, bytes, bytearray):
        return bounded(long_string(value, LONGEST_TEXT))
    if is_ours(value):
        return bounded(container(value))
    return bounded(repr(value))


def is_ours(value):
    """Whether the text of this value is ours to write, because it could be without end."""
    kind = type(value)
    return kind in (str, bytes, bytearray) or isinstance(value, CONTAINERS) and shows_plainly(kind) or kind in VIEWS


def bounded(text):
    if len(text) <= LONGEST_TEXT:
        return text
    half = LONGEST_TEXT // 2
    return "%s\n… %s characters left out …\n%s" % (text[:half], format(len(text) - LONGEST_TEXT, ","), text[-half:])


def long_string(value, longest):
    if len(value) <= longest:
        return repr(value)
    half = longest // 2
    unit = "characters" if isinstance(value, str) else "bytes"
    left_out = format(len(value) - longest, ",")
    return "%r … %s %s left out … %r" % (value[:half], left_out, unit, value[-half:])


def in_a_line(value, form=repr):
    """A value in at most 80 characters, for tables."""
    kind = type(value)
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return "%s %s" % (" × ".join(map(str, shape)) or "scalar", getattr(value, "dtype", ""))
    if isinstance(value, CONTAINERS) and len(value) > 20 or isinstance(value, (str, bytes)) and len(value) > 80:
        return "%d items" % len(value) if not isinstance(value, (str, bytes)) else repr(value[:60]) + "…"
    text = driver.attempt(lambda: form(value)) or "<%s>" % kind.__name__
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:79] + "…"


# --- containers -------------------------------------------------------------------------------------------------


def shows_plainly(kind):
    """Whether the container shows itself as its items, and not as something of its own."""
    return kind.__repr__ in REPRS


REPRS = {kind.__repr__ for kind in CONTAINERS + (collections.OrderedDict, collections.Counter, collections.defaultdict)}


class Gap:
    """Stands in a shortened container for what was left out."""

    def __init__(self, count):
        self.count = count

    def __repr__(self):
        return "… %s more …" % format(self.count, ",")

    def __lt__(self, other):
        return False

    def __hash__(self):
        return id(self)


class Said:
    """A text that is its own repr."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text

    def __lt__(self, other):
        return self.text < repr(other)


def container(value):
    kind = type(value)
    if len(value) <= 5 and all(type(item) in ATOMS or type(item) is str and len(item) < 200 for item in value) and kind in (list, tuple, set):
        return repr(value)
    short = Shortening().shorten(value, 0)
    try:
        return pprint.pformat(short, width=WIDTH, compact=True, sort_dicts=False)
    except Exception:
        return repr(short)


class Shortening:
    """Makes a copy that is small enough to be read, sharing what is small already."""

    def __init__(self):
        self.nodes = 0
        self.within = set()

    def shorten(self, value, depth):
        kind = type(value)
        self.nodes += 1
        if kind in ATOMS:
            return value
        if kind in (str, bytes, bytearray):
            return value if len(value) <= LONGEST_STRING else Said(long_string(value, 2_000))
        if kind in VIEWS:
            inner = self.shorten(list(head_and_tail(value, len(value))), depth + 1)
            return Said("%s(%s)" % (kind.__name__, pprint.pformat(inner, width=WIDTH, compact=True)))
        if not isinstance(value, CONTAINERS) or not shows_plainly(kind):
            return value
        if id(value) in self.within:
            return Said("{...}" if isinstance(value, dict) else "(...)" if kind is tuple else "[...]")
        if self.nodes > MOST_NODES or depth > 50:
            return Said("<%s of %s>" % (kind.__name__, format(len(value), ",")))
        self.within.add(id(value))
        try:
            return self.copy(value, kind, depth + 1)
        finally:
            self.within.discard(id(value))

    def copy(self, value, kind, depth):
        """The value itself where nothing in it had to be shortened."""
        size = len(value)
        if isinstance(value, dict):
            made = {}
            if size <= MOST_ITEMS and all(map(hashable_as_is, value)):
                made = {key: self.shorten(item, depth) for key, item in value.items()}
                if all(map(operator.is_, made.values(), value.values())):
                    return value
                return made if kind is dict else Said(wrapped(value, kind, made))
            for item in head_and_tail(value.items(), size):
                if isinstance(item, Gap):
                    made[item] = Said("")
                else:
                    made[item[0] if hashable_as_is(item[0]) else Said(long_string(item[0], 2_000))] = self.shorten(item[1], depth)
            return made if kind is dict else Said(wrapped(value, kind, made))
        items = [item if isinstance(item, Gap) else self.shorten(item, depth) for item in head_and_tail(value, size)]
        if size <= MOST_ITEMS and all(map(operator.is_, items, value)):
            return value
        if kind in (list, tuple):
            return kind(items)
        if kind in (set, frozenset):
            return kind(items) if size <= MOST_ITEMS else Said(wrapped(value, kind, items))
        return Said(wrapped(value, kind, items))


def hashable_as_is(key):
    return not isinstance(key, (str, bytes)) or len(key) <= LONGEST_STRING


def wrapped(value, kind, made):
    text = pprint.pformat(made, width=WIDTH, compact=True, sort_dicts=False)
    if kind is collections.defaultdict:
        return "defaultdict(%r, %s)" % (value.default_factory, text)
    if kind is set:
        return "{%s}" % text[1:-1]
    if isinstance(value, list) or isinstance(value, tuple):
        return text if isinstance(value, list) else "(%s)" % text[1:-1]
    return "%s(%s)" % (kind.__name__, text)


def head_and_tail(items, size):
    """All of them, or the first, how many are left out, and the last where they can be reached."""
    if size <= MOST_ITEMS:
        yield from list(items)
        return
    yield from itertools.islice(items, HEAD)
    if isinstance(items, (list, tuple)):
        yield Gap(size - HEAD - TAIL)
        yield from items[-TAIL:]
    else:
        yield Gap(size - HEAD)


# --- tables and arrays ------------------------------------------------------------------------------------------


def of_pandas(value):
    pandas = sys.modules["pandas"]
    if hasattr(value, "data") and type(value).__name__ == "Styler":
        value = value.data
    if not isinstance(value, (pandas.DataFrame, pandas.Series)):
        return None
    chosen = pandas.get_option("display.max_rows")
    if chosen != 60:
        return repr(value)  # the person has said how much to show
    with pandas.option_context("display.max_rows", MOST_ROWS, "display.min_rows", 10):
        text = repr(value)
    if isinstance(value, pandas.Series) or len(value) <= FOOTER_AFTER and len(value.columns) <= 20:
        return text
    return "%s\n%s" % (text, columns_in_words(value))


def columns_in_words(frame):
    """dtypes: a int64, b float64 (3 null), …"""
    shown = list(range(min(len(frame.columns), 40)))
    counted = frame.shape[0] * len(shown) <= MOST_CELLS_COUNTED
    parts = []
    for index in shown:
        column = frame.iloc[:, index]
        nulls = int(column.isna().sum()) if counted else 0
        parts.append("%s %s%s" % (frame.columns[index], column.dtype, " (%s null)" % format(nulls, ",") if nulls else ""))
    more = len(frame.columns) - len(shown)
    return "dtypes: %s%s" % (", ".join(parts), ", … %d more" % more if more else "")


def of_numpy(value):
    text = repr(value)
    if getattr(value, "size", 0) > 1000 and "..." in text and "shape=" not in text:
        text += "\n# shape %s, %s" % (value.shape, value.dtype)
    return text


# --- charts -----------------------------------------------------------------------------------------------------


def of_plotly(value):
    if not hasattr(value, "to_plotly_json") or not hasattr(value, "data"):
        return None
    traces = []
    for trace in value.data[:10]:
        size = next((len(found) for found in (trace_part(trace, name) for name in ("y", "x", "values", "z", "lat")) if found is not None), None)
        name = ' "%s"' % trace.name if trace.name else ""
        traces.append("%s%s%s" % (trace.type, name, "" if size is None else " (%d points)" % size))
    more = ", … %d more" % (len(value.data) - 10) if len(value.data) > 10 else ""
    return "plotly Figure%s: %s%s" % (titled(value.layout.title.text), ", ".join(traces) or "empty", more)


def trace_part(trace, name):
    found = driver.attempt(lambda: trace[name])
    return found if hasattr(found, "__len__") else None


def of_altair(value):
    if not hasattr(value, "to_dict") or not hasattr(value, "_repr_mimebundle_"):
        return None
    spec = value.to_dict()
    mark = spec.get("mark")
    mark = mark.get("type") if isinstance(mark, dict) else mark
    channels = spec.get("encoding", {})
    parts = ["%s %s" % (name, channel.get("field") or channel.get("aggregate")) for name, channel in channels.items() if isinstance(channel, dict)]
    rows = next((len(rows) for rows in spec.get("datasets", {}).values()), None)
    words = [" ".join(filter(None, (mark, type(value).__name__)))] + parts + ([] if rows is None else ["%d rows" % rows])
    return "altair%s: %s" % (titled(spec.get("title")), ", ".join(words))


def of_bokeh(value):
    if not hasattr(value, "renderers"):
        return repr(value) if len(repr(value)) < 2_000 else "bokeh %s" % type(value).__name__
    title = getattr(getattr(value, "title", None), "text", None)
    marks = [type(each.glyph).__name__ for each in value.renderers if hasattr(each, "glyph")]
    return "bokeh figure%s: %s" % (titled(title), ", ".join(marks[:10]) or "empty")


def titled(text):
    return ' "%s"' % text if isinstance(text, str) and text else ""


LIBRARIES = {"pandas": of_pandas, "numpy": of_numpy, "plotly": of_plotly, "altair": of_altair, "bokeh": of_bokeh}
