"""What the model reads of a table with columns that are never to be sent: the same table with their cells hidden, and what kind of
values they have. The person sees the table as it is. Which columns these are is in the environment, one pattern a line.
"""

import fnmatch
import os
import sys

HIDDEN = "‹hidden›"
MOST_ROWS = 1_000  # of a list of dictionaries
MOST_COUNTED = 5_000_000  # values that are looked at to count those that differ


def patterns():
    """The names of columns, in small letters."""
    for line in os.environ.get("INTERPRETER_NEVER_SEND", "").split("\n"):
        kind, colon, name = line.strip().rpartition(":")
        if colon and "/" not in name and "\\" not in name and len(kind) > 1:
            yield name.strip().lower()


NAMES = tuple(patterns())


def is_hidden(name):
    parts = name if isinstance(name, tuple) else (name,)
    return any(fnmatch.fnmatchcase(str(part).strip().lower(), each) for part in parts for each in NAMES)


def text_for_model(value):
    """None where there is nothing to hide. What goes wrong must not show anything."""
    try:
        return made_for_model(value) if NAMES else None
    except Exception as error:
        return "‹hidden: a %s that could not be shown without its hidden columns (%s)›" % (type(value).__name__, type(error).__name__)


def made_for_model(value):
    for library, make in LIBRARIES:
        module = sys.modules.get(library)
        made = make(module, value) if module is not None else None
        if made is not None:
            return made
    if isinstance(value, (list, tuple, dict)):
        return of_rows(value)
    return None


def with_words(table, words):
    text = driver.companion("summaries").text_of(table)
    return "\n".join([text.rstrip("\n")] + words)


def of_pandas(pandas, value):
    if isinstance(value, pandas.Series):
        frame = value.to_frame("" if value.name is None else value.name)
    elif isinstance(value, pandas.DataFrame):
        frame = value.copy(deep=False)
    else:
        return None
    hidden = [place for place, name in enumerate(frame.columns) if is_hidden(name)]
    labels = [place for place, name in enumerate(frame.index.names) if name is not None and is_hidden(name)]
    if not hidden and not labels:
        return None
    words = []
    for place in hidden:
        column = value if isinstance(value, pandas.Series) else value.iloc[:, place]
        words.append(in_words(frame.columns[place], kind_of(column.dtype), len(column), int(column.isna().sum()), different(column)))
    for place in labels:
        index = frame.index.get_level_values(place)
        words.append(in_words(frame.index.names[place], kind_of(index.dtype), len(index), int(index.isna().sum()), different(index)))
    names = list(frame.columns)
    frame.columns = range(len(names))  # names may occur twice
    for place in hidden:
        frame[place] = HIDDEN
    frame.columns = names if not isinstance(value, pandas.DataFrame) else value.columns
    if labels and frame.index.nlevels == 1:
        frame.index = pandas.Index([HIDDEN] * len(frame), name=frame.index.name)
    elif labels:
        levels = [[HIDDEN] * len(frame) if place in labels else frame.index.get_level_values(place) for place in range(frame.index.nlevels)]
        frame.index = pandas.MultiIndex.from_arrays(levels, names=frame.index.names)
    return with_words(frame.iloc[:, 0] if isinstance(value, pandas.Series) else frame, words)


def different(column):
    return int(column.nunique()) if len(column) <= MOST_COUNTED else None


def of_polars(polars, value):
    if not isinstance(value, (polars.DataFrame, polars.Series)):
        return None
    frame = value.to_frame() if isinstance(value, polars.Series) else value
    hidden = [name for name in frame.columns if is_hidden(name)]
    if not hidden:
        return None
    words = []
    for name in hidden:
        column = frame.get_column(name)
        kind = "numbers" if column.dtype.is_numeric() else kind_of(column.dtype)
        words.append(in_words(name, kind, len(column), column.null_count(), column.drop_nulls().n_unique()))
    return with_words(frame.with_columns([polars.lit(HIDDEN).alias(name) for name in hidden]), words)


def of_arrow(arrow, value):
    if not isinstance(value, (arrow.Table, arrow.RecordBatch)):
        return None
    rows = value.slice(0, 20).to_pylist() if any(map(is_hidden, value.schema.names)) else []
    return of_rows(rows) if rows else None


def of_rows(value):
    """Dictionaries, alone or in a list."""
    rows = [value] if isinstance(value, dict) else value[:MOST_ROWS]
    if not rows or not all(isinstance(row, dict) for row in rows):
        return None
    hidden = list(dict.fromkeys(key for row in rows for key in row if is_hidden(key)))
    if not hidden:
        return None
    made = [{key: HIDDEN if key in hidden else each for key, each in row.items()} for row in rows]
    words = []
    for key in hidden:
        found = [row.get(key) for row in rows]
        there = [each for each in found if each is not None]
        numbers = there and all(isinstance(each, (int, float)) for each in there)
        words.append(in_words(key, "numbers" if numbers else "text", len(found), len(found) - len(there), len(set(map(str, there)))))
    return with_words(made[0] if isinstance(value, dict) else made, words)


def kind_of(dtype):
    kind = getattr(dtype, "kind", "O")
    return "numbers" if kind in "iufc" else "dates" if kind in "mM" else "true or false" if kind == "b" else "text"


def in_words(name, kind, rows, missing, unlike):
    """‹email: text, 1 204 values, 1 198 different›"""
    parts = ["%s: %s" % (name, kind), "%s value%s" % (grouped(rows - missing), "" if rows - missing == 1 else "s")]
    if unlike is not None:
        parts.append("%s different" % grouped(unlike))
    if missing:
        parts.append("%s missing" % grouped(missing))
    return "‹%s›" % ", ".join(parts)


def grouped(count):
    return format(count, ",").replace(",", " ")


LIBRARIES = (("pandas", of_pandas), ("polars", of_polars), ("pyarrow", of_arrow))
