"""What is shown of a block: which forms a value has, by MIME type, and whether the last one is shown at all."""

import io
import os
import sys

BINARY = ("_repr_png_", "image/png"), ("_repr_jpeg_", "image/jpeg"), ("_repr_pdf_", "application/pdf")
TEXTUAL = (
    ("_repr_html_", "text/html"),
    ("_repr_markdown_", "text/markdown"),
    ("_repr_svg_", "image/svg+xml"),
    ("_repr_latex_", "text/latex"),
    ("_repr_json_", "application/json"),
    ("_repr_javascript_", "application/javascript"),
)

TABLE = "application/vnd.interpreter.table+json"
FOR_MODEL = "application/vnd.interpreter.for-model"  # the text that the model reads instead, where columns are hidden from it
TABULAR = frozenset(("pandas", "polars", "pyarrow", "geopandas"))
SUMMARISED = frozenset(("pandas", "plotly", "altair", "bokeh"))  # whose own text is too long, or says nothing

companion = driver.companion


def display(values, **options):
    if options.get("display_id") is not None:
        return companion("displays").display(values, **options)
    for value in values:
        if options.get("raw") and isinstance(value, dict):
            driver.publish(value)
            continue
        bundle = bundle_of(value)
        if bundle:  # empty when the value has shown itself
            driver.publish(bundle)


def bundle_of(value):
    """Every representation the value offers, by MIME type. Empty when it has shown itself."""
    kind = type(value)
    if driver.shell is None and (kind in driver.ATOMS or kind is str):
        return {"text/plain": text_of(value)}
    bundle = companion("ipython").bundle_of(value) if driver.shell is not None else {}
    if bundle is None or callable(getattr(kind, "_ipython_display_", None)) and companion("displays").show_itself(value):
        return {}
    if not bundle:
        bundle = own_forms(value, kind)
    if kind.__name__ == "Figure" and kind.__module__ == "matplotlib.figure" and "image/png" not in bundle:
        bundle["image/png"] = companion("figures").png_of(value)
    for mime, made in list(bundle.items()):
        if isinstance(made, (bytes, bytearray)):
            import base64

            bundle[mime] = base64.b64encode(made).decode("ascii")
    if "text/plain" not in bundle or kind.__module__.partition(".")[0] in SUMMARISED:
        bundle["text/plain"] = text_of(value)
    if driver.tables and (kind.__module__.partition(".")[0] in TABULAR or kind is list and value and type(value[0]) is dict):
        table = driver.attempt(lambda: companion("tables").table_of(value))
        if table is not None:
            bundle[TABLE] = table
    if os.environ.get("INTERPRETER_NEVER_SEND"):
        hidden = companion("hidden").text_for_model(value)
        if hidden is not None:
            bundle[FOR_MODEL] = hidden
    return bundle


def own_forms(value, kind):
    bundle = {}
    method = getattr(kind, "_repr_mimebundle_", None)
    if callable(method):
        made = represent(lambda: method(value))
        if isinstance(made, tuple):
            made = made[0]
        if isinstance(made, dict):
            bundle.update(made)
    if bundle and kind.__module__.partition(".")[0] in ("plotly", "altair"):
        return bundle  # their HTML would want the network
    for name, mime in BINARY + TEXTUAL:
        if mime in bundle or not callable(getattr(kind, name, None)) or mime == "image/jpeg" and "image/png" in bundle:
            continue
        made = represent(lambda: getattr(value, name)())
        if isinstance(made, tuple):
            made = made[0]
        if made is not None:
            bundle[mime] = made
    return bundle


def represent(make):
    """One of the forms of a value. One that fails is left out, and that is said."""
    try:
        return make()
    except NotImplementedError:
        return None
    except Exception as error:
        sys.stderr.write("%s while a value was shown: %s\n" % (type(error).__name__, error))
        return None


def text_of(value):
    return repr(value) if driver.is_short(value) else companion("summaries").text_of(value)


def ends_silent(code):
    """A semicolon after the last expression keeps it from being shown, as in a notebook."""
    import tokenize

    try:
        kept = [
            token
            for token in tokenize.generate_tokens(io.StringIO(code).readline)
            if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER, tokenize.DEDENT)
        ]
    except Exception:
        return False
    return bool(kept) and kept[-1].string == ";"
