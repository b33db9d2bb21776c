"""Tables as data: of pandas, polars, Arrow, NumPy and lists of dictionaries. Takes the first rows of one for the person to
see beside its text, within a budget: however large it is, only what is shown is touched.

A source is one table behind the same few questions: `rows` and `width`, `name`, `type` and `numeric` of a column, `labels`
for what names the rows, and `values` for some of a column (`where` is a slice or a list of positions; None stands for null).
"""

import datetime
import math
import numbers
import re
import sys
import time

ROWS = 20
FIRST, LAST = 50, 12  # columns
LONGEST = 300  # characters of a cell
SECONDS = 0.2  # for everything
MOST_COUNTED = 5_000_000  # values that are looked at to count nulls
SCALARS = (str, int, float, bool, complex, type(None), bytes, datetime.date, datetime.time, datetime.timedelta)


class Problem(Exception):
    """Something to tell the person who looks, in one line."""


def table_of(value):
    """The first rows of a table, or None for what is shown better as text."""
    if type(value) is list and not is_tabular(value):
        return None
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(value, (pandas.DataFrame, pandas.Series)) and pandas.get_option("display.max_rows") != 60:
        return None  # the person has said how much to show
    source = source_of(value)
    return None if source is None else first_rows(source)


def first_rows(source):
    until = time.perf_counter() + SECONDS
    chosen = list(range(source.width))
    if source.width > FIRST + LAST:
        chosen = chosen[:FIRST] + chosen[-LAST:]
    columns, cells = part_of(source, chosen, slice(0, min(ROWS, source.rows)), until)
    labels = sum("index" in column for column in columns)
    chosen = chosen[: len(columns) - labels]
    for number, column in zip(chosen, columns[labels:]):
        if time.perf_counter() > until:
            break
        nulls = driver.attempt(lambda: source.nulls(number, source.rows * len(chosen) <= MOST_COUNTED))
        if nulls is not None:
            column["nulls"] = nulls
    table = {"columns": columns, "rows": cells, "total": source.rows}
    if len(chosen) < source.width:
        at = next((place for place, number in enumerate(chosen) if number != place), len(chosen))
        table["gap"] = {"at": labels + at, "count": source.width - len(chosen)}
    return table


def part_of(source, chosen, where, until=math.inf):
    """The columns and rows of a part of a table, those that name the rows first. What is too late is left out."""
    columns, lists = [], []
    for name, values in source.labels(where):
        columns.append({"name": "" if name is None else text(name), "index": True})
        lists.append(formatted(values))
    for number in chosen:
        if time.perf_counter() > until:
            break
        kind, numeric = str(source.type(number)), bool(source.numeric(number))
        columns.append({"name": text(source.name(number)), "type": kind, "numeric": numeric})
        lists.append(formatted(source.values(number, where)))
    return columns, [list(row) for row in zip(*lists)]


# --- values as text ---------------------------------------------------------------------------------------------


def formatted(values):
    """The values of one column, alike where they are numbers or dates. None stays None."""
    kinds = {type(value) for value in values} - {type(None)}
    if kinds and all(issubclass(kind, float) for kind in kinds):
        return floats(values)
    made = [None if value is None else text(value) for value in values]
    if kinds and all(issubclass(kind, datetime.datetime) for kind in kinds):
        if all(each is None or each.endswith(" 00:00:00") for each in made):
            made = [each and each[:-9] for each in made]
    return made


def floats(values):
    """As many decimals as the column needs, at most as many as pandas shows."""
    pandas = sys.modules.get("pandas")
    chosen = pandas.get_option("display.float_format") if pandas is not None else None
    if callable(chosen):
        return [None if value is None else str(chosen(value)) for value in values]
    precision = pandas.get_option("display.precision") if pandas is not None else 6
    real = [abs(value) for value in values if value is not None and math.isfinite(value)]
    if any(value >= 1e15 or 0 < value < 10.0 ** -precision for value in real):
        return [None if value is None else "%.*g" % (precision + 1, value) for value in values]
    made = [None if value is None else "%.*f" % (precision, value) for value in values]
    finite = [each for each, value in zip(made, values) if value is not None and math.isfinite(value)]
    spare = min((len(each) - len(each.rstrip("0")) for each in finite), default=0)
    spare = max(0, min(spare, precision - 1))
    if not spare:
        return made
    return [each[:-spare] if each is not None and math.isfinite(value) else each for each, value in zip(made, values)]


def text(value):
    if isinstance(value, str):
        made = value[: LONGEST + 1]
    elif type(value) in SCALARS or isinstance(value, (numbers.Number, datetime.date)):
        made = str(value)[: LONGEST + 1]
    elif isinstance(value, tuple) and len(value) < 10:
        made = " / ".join(map(text, value))
    else:
        made = driver.companion("summaries").in_a_line(value, str)
    return made if len(made) <= LONGEST else made[:LONGEST] + "…"


# --- sources ----------------------------------------------------------------------------------------------------


def source_of(value):
    """The table that a value is, or None."""
    for library, find in LIBRARIES:
        module = sys.modules.get(library)
        source = find(module, value) if module is not None else None
        if source is not None:
            return source
    if isinstance(value, (list, tuple)) and value and all(isinstance(row, dict) for row in value[:100]):
        return Rows(value)
    return None


def is_tabular(rows):
    """Whether a list of dictionaries reads better as a table: they are alike, and nothing is nested in them."""
    first = rows[0]
    if len(rows) < 2 or not 0 < len(first) <= 30 or not all(type(key) is str for key in first):
        return False
    return all(type(row) is dict and row.keys() == first.keys() and all(type(each) in SCALARS for each in row.values()) for row in rows[:ROWS])


class Pandas:
    def __init__(self, frame, kind):
        self.frame, self.kind = frame, kind
        self.rows, self.width = frame.shape

    def column(self, number):
        return self.frame.iloc[:, number]

    def name(self, number):
        return self.frame.columns[number]

    def type(self, number):
        return self.column(number).dtype

    def numeric(self, number):
        dtype = self.type(number)
        return getattr(dtype, "kind", "O") in "iufc"

    def labels(self, where):
        index = self.frame.index[where]
        for level in range(index.nlevels):
            values = index.get_level_values(level)
            yield values.name, without_nulls(values.tolist(), values.isna().tolist())

    def values(self, number, where):
        part = self.column(number).iloc[where]
        return without_nulls(part.tolist(), part.isna().tolist())

    def nulls(self, number, counted):
        column = self.column(number)
        if getattr(column.dtype, "kind", "O") in "iub" and not hasattr(column.dtype, "na_value"):
            return 0
        return int(column.isna().sum()) if counted else None


def without_nulls(values, nulls):
    return [None if null is True else value for value, null in zip(values, nulls)]


class Polars:
    def __init__(self, frame, kind):
        self.frame, self.kind = frame, kind
        self.rows, self.width = frame.shape

    def column(self, number):
        return self.frame.to_series(number)

    def name(self, number):
        return self.frame.columns[number]

    def type(self, number):
        return re.sub(r"time_unit='(\w+)'(, time_zone=None)?", r"\1", str(self.column(number).dtype))

    def numeric(self, number):
        return self.column(number).dtype.is_numeric()

    def labels(self, where):
        return ()

    def values(self, number, where):
        return self.column(number)[where].to_list()

    def nulls(self, number, counted):
        return self.column(number).null_count()


class Arrow:
    def __init__(self, table, kind):
        self.table, self.kind = table, kind
        self.rows, self.width = table.num_rows, table.num_columns

    def column(self, number):
        return self.table.column(number)

    def name(self, number):
        return self.table.schema.names[number]

    def type(self, number):
        return self.table.schema.types[number]

    def numeric(self, number):
        types = sys.modules["pyarrow"].types
        kind = self.type(number)
        return types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)

    def labels(self, where):
        return ()

    def values(self, number, where):
        column = self.column(number)
        part = column.slice(where.start, where.stop - where.start) if isinstance(where, slice) else column.take(where)
        return part.to_pylist()

    def nulls(self, number, counted):
        return self.column(number).null_count


class Array:
    """A NumPy array of one or two dimensions."""

    def __init__(self, array):
        self.kind = "NumPy array"
        self.array = array if array.ndim == 2 else array.reshape(-1, 1)
        self.rows, self.width = self.array.shape

    def column(self, number):
        return self.array[:, number]

    def name(self, number):
        return str(number)

    def type(self, number):
        return self.array.dtype

    def numeric(self, number):
        return self.array.dtype.kind in "iufc"

    def labels(self, where):
        if isinstance(where, slice):
            where = range(where.start, where.stop)
        yield None, [int(each) for each in where]

    def values(self, number, where):
        return [None if value != value else value for value in self.column(number)[where].tolist()]

    def nulls(self, number, counted):
        if self.array.dtype.kind != "f":
            return 0
        return int(sys.modules["numpy"].isnan(self.column(number)).sum()) if counted else None


class Rows:
    """A list of dictionaries."""

    def __init__(self, rows):
        self.kind = "list of dictionaries"
        self.list = rows
        self.names = list(dict.fromkeys(key for row in rows[:1000] for key in row))
        self.rows, self.width = len(rows), len(self.names)

    def column(self, number):
        name = self.names[number]
        return [row.get(name) for row in self.list]

    def name(self, number):
        return self.names[number]

    def type(self, number):
        name = self.names[number]
        kinds = sorted({type(row[name]).__name__ for row in self.list[:100] if row.get(name) is not None})
        return " | ".join(kinds[:3])

    def numeric(self, number):
        name = self.names[number]
        values = [row.get(name) for row in self.list[:100]]
        return all(value is None or isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)

    def labels(self, where):
        if isinstance(where, slice):
            where = range(where.start, where.stop)
        yield None, list(where)

    def values(self, number, where):
        name = self.names[number]
        rows = self.list[where] if isinstance(where, slice) else [self.list[each] for each in where]
        return [row.get(name) for row in rows]

    def nulls(self, number, counted):
        return sum(value is None for value in self.column(number)) if counted else None


def of_pandas(pandas, value):
    if isinstance(value, pandas.DataFrame):
        return Pandas(value, "pandas DataFrame")
    if isinstance(value, pandas.Series):
        return Pandas(value.to_frame("" if value.name is None else value.name), "pandas Series")
    if isinstance(value, pandas.Index):
        return Pandas(value.to_frame(index=False), "pandas Index")
    return None


def of_polars(polars, value):
    if isinstance(value, polars.DataFrame):
        return Polars(value, "polars DataFrame")
    return Polars(value.to_frame(), "polars Series") if isinstance(value, polars.Series) else None


def of_arrow(arrow, value):
    return Arrow(value, "Arrow table") if isinstance(value, (arrow.Table, arrow.RecordBatch)) else None


def of_numpy(numpy, value):
    flat = isinstance(value, numpy.ndarray) and value.ndim in (1, 2) and value.dtype.names is None
    return Array(value) if flat else None


LIBRARIES = (("pandas", of_pandas), ("polars", of_polars), ("pyarrow", of_arrow), ("numpy", of_numpy))
