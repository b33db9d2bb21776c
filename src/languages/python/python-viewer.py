"""Lets the person look at a table of the session a page at a time. What is looked at is kept here, under no name, and let go
when the person is done. Sorting and filtering make lists of positions: the table itself is never touched.
"""

import ast
import re
import sys

MOST_SUMMARISED = 20_000_000  # values of which nobody waits for a mean
MOST_OF_SQL = 1_000_000
COMPARISON = re.compile(r"\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*$", re.S)
QUOTED = re.compile(r"""\s*(["'])(.*)\1\s*$""", re.S)
EXPRESSION = re.compile(r"[<>=!&|~()]|\b(in|and|or|not|is)\b")

between = driver.companion("between")
tables = driver.companion("tables")
quiet = driver.companion("quiet").quiet
Problem = tables.Problem
kept = None  # what is looked at


def answer(command):
    between.reply(command, between.answer(command, ANSWERS, Problem))


# --- what can be asked ------------------------------------------------------------------------------------------


def opened(command):
    global kept
    kept = None
    code = command["code"].strip()
    try:
        program = compile(code, "<expression>", "eval", dont_inherit=True)
    except SyntaxError as error:
        raise Problem("%s is not an expression: %s." % (code[:80], error.msg)) from None
    try:
        with quiet():
            value = eval(program, driver.namespace)
    except NameError as error:
        value = of_duckdb(code)
        if value is None:
            raise Problem("There is no such thing here: %s. %%vars lists what there is." % error) from None
    if type(value).__name__ == "LazyFrame":
        raise Problem("A lazy frame has no rows yet: look at what its collect() gives.")
    source = tables.source_of(value)
    if source is None:
        kind = driver.companion("inspect").type_name(value)
        raise Problem("%s is not a table (%s). Data frames, series, arrays of one or two dimensions and lists of dictionaries are." % (code[:80], kind))
    kept = View(source)
    return {"kind": source.kind, "rows": source.rows, "columns": source.width}


def of_duckdb(name):
    """A table that SQL has made here, if there is one of that name: its rows, a million at most."""
    if "duckdb" not in sys.modules or not name.isidentifier():
        return None
    with quiet():
        return driver.attempt(lambda: sys.modules["duckdb"].sql('SELECT * FROM "%s" LIMIT %d' % (name, MOST_OF_SQL)).df())


def page(command):
    view = current()
    where, total = view.arranged(command)
    start, count = command["rows"]
    first, many = command["columns"]
    start, stop = max(0, min(start, total)), max(0, min(start + count, total))
    part = slice(start, stop) if where is None else where[start:stop]
    chosen = range(max(0, first), min(view.source.width, first + many))
    columns, rows = tables.part_of(view.source, chosen, part)
    return {"table": {"columns": columns, "rows": rows, "total": total}}


def column(command):
    view = current()
    number = command["column"]
    where, total = view.filtered(command.get("filter"))
    values = view.source.column(number) if where is None else view.take(view.source.column(number), where)
    facts = [("type", str(view.source.type(number)))]
    if total <= MOST_SUMMARISED or command["whole"]:
        facts += view.ops.facts(values, view.source.numeric(number), command["whole"])
    return {"facts": [[name, value if isinstance(value, str) else tables.text(value)] for name, value in facts]}


def cell(command):
    view = current()
    where, total = view.arranged(command)
    row = command["row"]
    if not 0 <= row < total:
        raise Problem("There is no such row.")
    part = slice(row, row + 1) if where is None else where[row : row + 1]
    value = view.source.values(command["column"], part)[0]
    if value is None:
        return {"text": "null"}
    text = value if isinstance(value, str) else driver.companion("summaries").text_of(value)
    return {"text": text[:100_000]}


def closed(command):
    global kept
    kept = None
    return {"closed": True}


ANSWERS = {"open": opened, "page": page, "column": column, "cell": cell, "close": closed}


def current():
    if kept is None:
        raise Problem("The table is no longer there.")
    return kept


class View:
    """A table with the positions of the rows that are shown, in their order; None stands for all as they are."""

    def __init__(self, source):
        self.source = source
        self.ops = driver.companion("orders").OPERATIONS[type(source).__name__]
        self.filters, self.orders = {}, {}

    def filtered(self, wanted):
        if not wanted:
            return None, self.source.rows
        key = (wanted["text"], wanted["column"])
        if key not in self.filters:
            try:
                with quiet():
                    where = self.matching(*key)
            except Problem:
                raise
            except Exception as error:
                raise Problem("That filter does not work: %s" % between.first_line(error)) from None
            self.filters = {key: where}
            self.orders = {}
        where = self.filters[key]
        return where, len(where)

    def arranged(self, command):
        where, total = self.filtered(command.get("filter"))
        sort = command.get("sort")
        if not sort:
            return where, total
        key = (sort["column"], sort["descending"], tuple((command.get("filter") or {}).values()))
        if key not in self.orders:
            values = self.source.column(sort["column"])
            order = self.ops.order(values if where is None else self.take(values, where), sort["descending"])
            self.orders = {key: order if where is None else self.take(where, order)}
        return self.orders[key], total

    def take(self, values, where):
        return self.ops.take(values, where)

    def matching(self, text, number):
        """A text in quotes is looked for; `> 3` compares; what has signs or words of an expression is one; any other text is looked for."""
        values = self.source.column(number)
        quoted, comparison = QUOTED.match(text), COMPARISON.match(text)
        if quoted:
            return self.ops.containing(values, quoted.group(2))
        if comparison:
            return self.ops.comparing(values, comparison.group(1), literal(comparison.group(2)))
        if EXPRESSION.search(text):
            return self.ops.satisfying(self.source, text, driver.namespace)
        return self.ops.containing(values, text)


def literal(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
