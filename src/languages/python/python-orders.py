"""Sorting, filtering and summing up a column, for each kind of table. Rows are named by their positions; nulls come last."""

import collections
import operator
import sys

COMPARE = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
FREQUENT = 5
MOST_COUNTED = 1_000_000  # numbers; among more of them few are alike
QUARTILES = (("25 %", 0.25), ("median", 0.5), ("75 %", 0.75))


class OfPandas:
    def order(self, values, descending):
        if getattr(values.dtype, "kind", "O") in "iuf" and not hasattr(values.dtype, "na_value"):
            return OPERATIONS["Array"].order(values.to_numpy(), descending)
        values = values.reset_index(drop=True)
        try:
            made = values.sort_values(ascending=not descending, kind="stable", na_position="last")
        except TypeError:  # values of several kinds
            made = values.sort_values(ascending=not descending, kind="stable", na_position="last", key=lambda each: each.astype(str))
        return made.index.to_numpy()

    def take(self, values, where):
        return values[where] if isinstance(values, sys.modules["numpy"].ndarray) else values.iloc[where]

    def containing(self, values, text):
        found = values.astype(str).str.contains(text, case=False, regex=False, na=False)
        return positions(found.to_numpy(dtype=bool) & ~values.isna().to_numpy())

    def comparing(self, values, sign, other):
        return positions(COMPARE[sign](values, other).fillna(False).to_numpy(dtype=bool))

    def satisfying(self, source, text, names):
        found = source.frame.eval(text, local_dict=names, global_dict={})
        if getattr(found, "shape", None) != (source.rows,) or found.dtype.kind != "b" and str(found.dtype) != "boolean":
            raise driver.companion("tables").Problem("That is not true or false for each row.")
        return positions(found.fillna(False).to_numpy(dtype=bool))

    def facts(self, values, numeric, whole):
        made = [("null", count(values.isna().sum()))]
        dates = getattr(values.dtype, "kind", "O") in "mM"
        real = numeric and values.dtype.kind != "c"
        if (real or dates) and values.notna().any():
            made += [("min", values.min()), ("max", values.max()), ("mean", values.mean())]
        if whole and real:
            made += [("std", values.std())] + [(name, values.quantile(part)) for name, part in QUARTILES]
        if whole and (len(values) <= MOST_COUNTED or not real):
            try:
                counts = values.value_counts()
            except TypeError:  # lists and the like cannot be counted
                return short(made)
            made += frequent(len(counts), list(counts.iloc[:FREQUENT].items()))
        return short(made)


class OfPolars:
    def order(self, values, descending):
        return values.arg_sort(descending=descending, nulls_last=True)

    def take(self, values, where):
        return values.gather(where)

    def containing(self, values, text):
        polars = sys.modules["polars"]
        try:
            words = values.cast(polars.String)
        except Exception:
            words = polars.Series([None if each is None else str(each) for each in values.to_list()], dtype=polars.String)
        return words.str.to_lowercase().str.contains(text.lower(), literal=True).fill_null(False).arg_true()

    def comparing(self, values, sign, other):
        polars = sys.modules["polars"]
        if isinstance(other, str) and values.dtype.is_temporal():
            other = polars.Series([other]).str.to_datetime(time_unit="us").cast(values.dtype)[0]
        return COMPARE[sign](values, other).fill_null(False).arg_true()

    def satisfying(self, source, text, names):
        polars = sys.modules["polars"]
        found = source.frame.select(polars.sql_expr(text).alias("found")).to_series()
        if found.dtype != polars.Boolean or len(found) != source.rows:
            raise driver.companion("tables").Problem("That is not true or false for each row.")
        return found.fill_null(False).arg_true()

    def facts(self, values, numeric, whole):
        made = [("null", count(values.null_count()))]
        if (numeric or values.dtype.is_temporal()) and values.null_count() < len(values):
            made += [("min", values.min()), ("max", values.max()), ("mean", values.mean())]
        if whole and numeric:
            made += [("std", values.std())] + [(name, values.quantile(part)) for name, part in QUARTILES]
        if whole and (len(values) <= MOST_COUNTED or not numeric):
            counts = values.drop_nulls().value_counts(sort=True)
            made += frequent(len(counts), counts.head(FREQUENT).rows())
        return short(made)


class OfArrow:
    def order(self, values, descending):
        compute = functions()
        return compute.array_sort_indices(whole_array(values), order="descending" if descending else "ascending")

    def take(self, values, where):
        return values.take(where)

    def containing(self, values, text):
        arrow = sys.modules["pyarrow"]
        words = functions().cast(values, arrow.string())
        return self.true(functions().match_substring(words, text, ignore_case=True))

    def comparing(self, values, sign, other):
        arrow = sys.modules["pyarrow"]
        other = arrow.scalar(other)
        names = {"==": "equal", "!=": "not_equal", "<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}
        if arrow.types.is_string(other.type):
            other = other.cast(values.type)
        return self.true(getattr(functions(), names[sign])(values, other))

    def satisfying(self, source, text, names):
        raise driver.companion("tables").Problem("An Arrow table is filtered by a text, or by a comparison such as > 3, in the current column.")

    def true(self, found):
        return functions().indices_nonzero(functions().fill_null(found, False))

    def facts(self, values, numeric, whole):
        compute = functions()
        made = [("null", count(values.null_count))]
        types = sys.modules["pyarrow"].types
        if (numeric or types.is_temporal(values.type)) and values.null_count < len(values):
            ends = compute.min_max(values).as_py()
            made += [("min", ends["min"]), ("max", ends["max"])]
        if numeric and values.null_count < len(values):
            made += [("mean", compute.mean(values).as_py())]
        if whole and numeric:
            made += [("std", compute.stddev(values, ddof=1).as_py())]
            made += zip([name for name, _ in QUARTILES], compute.quantile(values, [part for _, part in QUARTILES]).to_pylist())
        if whole and (len(values) <= MOST_COUNTED or not numeric):
            counts = [(each["values"], each["counts"]) for each in compute.value_counts(whole_array(values.drop_null())).to_pylist()]
            made += frequent(len(counts), sorted(counts, key=lambda each: -each[1])[:FREQUENT])
        return short(made)


class OfArray:
    def order(self, values, descending):
        numpy = sys.modules["numpy"]
        null = numpy.isnan(values) if values.dtype.kind == "f" else numpy.zeros(len(values), bool)
        there = numpy.flatnonzero(~null)
        if descending:  # turned around twice, so that alike values keep their order
            there = there[::-1]
        order = there[numpy.argsort(values[there], kind="stable")]
        return numpy.concatenate([order[::-1] if descending else order, numpy.flatnonzero(null)])

    def take(self, values, where):
        return values[where]

    def containing(self, values, text):
        numpy = sys.modules["numpy"]
        return numpy.array([at for at, value in enumerate(values.tolist()) if text.lower() in str(value).lower()], dtype=numpy.intp)

    def comparing(self, values, sign, other):
        return positions(COMPARE[sign](values, other))

    def satisfying(self, source, text, names):
        raise driver.companion("tables").Problem("An array is filtered by a text, or by a comparison such as > 3, in the current column.")

    def facts(self, values, numeric, whole):
        numpy = sys.modules["numpy"]
        there = values[~numpy.isnan(values)] if values.dtype.kind == "f" else values
        made = [("null", count(len(values) - len(there)))]
        if numeric and values.dtype.kind != "c" and len(there):
            made += [("min", there.min().item()), ("max", there.max().item()), ("mean", there.mean().item())]
            if whole:
                made += [("std", there.std(ddof=1).item() if len(there) > 1 else None)]
                made += [(name, numpy.quantile(there, part).item()) for name, part in QUARTILES]
        if whole and len(values) <= MOST_COUNTED and values.dtype.kind != "O":
            found, counts = numpy.unique(there, return_counts=True)
            most = numpy.argsort(-counts, kind="stable")[:FREQUENT]
            made += frequent(len(found), zip(found[most].tolist(), counts[most].tolist()))
        return short(made)


class OfRows:
    def order(self, values, descending):
        there = [at for at, value in enumerate(values) if value is not None]
        try:
            there.sort(key=values.__getitem__, reverse=descending)
        except TypeError:  # values of several kinds
            there.sort(key=lambda at: str(values[at]), reverse=descending)
        return there + [at for at, value in enumerate(values) if value is None]

    def take(self, values, where):
        return [values[at] for at in where]

    def containing(self, values, text):
        return [at for at, value in enumerate(values) if value is not None and text.lower() in str(value).lower()]

    def comparing(self, values, sign, other):
        def holds(value):
            try:
                return value is not None and bool(COMPARE[sign](value, other))
            except TypeError:
                return False

        return [at for at, value in enumerate(values) if holds(value)]

    def satisfying(self, source, text, names):
        code = compile(text, "<filter>", "eval", dont_inherit=True)
        return [at for at, row in enumerate(source.list) if eval(code, names, collections.ChainMap(row, dict.fromkeys(source.names)))]

    def facts(self, values, numeric, whole):
        there = [value for value in values if value is not None]
        made = [("null", count(len(values) - len(there)))]
        if numeric and there:
            made += [("min", min(there)), ("max", max(there)), ("mean", sum(there) / len(there))]
        if whole:
            try:
                counts = collections.Counter(there)
            except TypeError:
                return short(made)
            made += frequent(len(counts), counts.most_common(FREQUENT))
        return short(made)


def positions(found):
    return sys.modules["numpy"].flatnonzero(found)


def functions():
    import pyarrow.compute

    return pyarrow.compute


def whole_array(values):
    return values.combine_chunks() if hasattr(values, "combine_chunks") else values


def frequent(distinct, most):
    yield "distinct", count(distinct)
    for value, times in most:
        if times < 2:
            break
        yield "most frequent", "%s (%s)" % (driver.companion("tables").text(value)[:100], count(times))


def count(number):
    return format(int(number), ",")


def short(facts):
    """Numbers as they are read, not as they are stored."""
    for name, value in facts:
        if value is not None:
            value = value.item() if hasattr(value, "item") else value
            yield name, number(value) if isinstance(value, float) else value


def number(value):
    if value != value or not 1e-4 <= abs(value) < 1e15:
        return "%.6g" % value
    text = "%.*f" % (2 if abs(value) >= 1000 else 6, value)
    return text.rstrip("0").rstrip(".")


OPERATIONS = {"Pandas": OfPandas(), "Polars": OfPolars(), "Arrow": OfArrow(), "Array": OfArray(), "Rows": OfRows()}
