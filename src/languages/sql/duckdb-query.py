def _interpreter_sql(_interpreter_code):
    # Runs in the person's own namespace, where DuckDB looks for data frames. Names of ours must not look like tables.
    import duckdb as _interpreter_duckdb

    global _sql
    _interpreter_relation = _interpreter_duckdb.sql(_interpreter_code)
    globals().pop("_interpreter_sql", None)
    if _interpreter_relation is None:
        return
    most, shown = 1_000_000, 50
    cut = _interpreter_relation.limit(most + 1)
    columns = [{"name": name, "type": str(kind)} for name, kind in zip(cut.columns, cut.types)]
    try:
        _sql = cut.df()
        total = len(_sql)
        if total > most:
            _sql = _sql.iloc[:most]
        rows = _sql.head(shown).astype(object).itertuples(index=False, name=None)
        missing = __import__("pandas").isna
    except ImportError:  # neither pandas nor numpy: plain rows
        _sql = cut.fetchall()
        total = len(_sql)
        del _sql[most:]
        rows, missing = _sql[:shown], lambda value: value is None

    def plain(value):
        try:
            if missing(value) is True or value is None:
                return None
        except Exception:
            pass
        if type(value) in (int, float) or type(value).__module__ == "numpy" and hasattr(value, "item"):
            value = value.item() if hasattr(value, "item") else value
        return value if type(value) in (int, float) else str(value)

    table = {"columns": columns, "rows": [[plain(value) for value in row] for row in rows], "total": min(total, most)}
    if total > most:
        table["remark"] = "There are more: the first %d are kept in _sql." % most
    display({"application/vnd.interpreter.table+json": table}, raw=True)
