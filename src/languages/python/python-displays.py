"""Displays beyond the plain one: values that show themselves, displays that are updated later, %%html and its like."""

import sys

count = 0


def show_itself(value):
    """Lets a value with `_ipython_display_` show itself. False when it could not."""
    if type(value).__module__.partition(".")[0] in ("plotly",):
        return False  # it would want a browser
    try:
        value._ipython_display_()
    except Exception:
        return False
    return True


class DisplayHandle:
    """What `display(value, display_id=True)` gives: shows something else in the same place later."""

    def __init__(self, display_id):
        self.display_id = display_id

    def display(self, value, **options):
        display((value,), display_id=self.display_id, **options)

    def update(self, value, **options):
        display((value,), display_id=self.display_id, update=True, **options)

    def __repr__(self):
        return "<DisplayHandle display_id=%s>" % self.display_id


def display(values, display_id, update=False, raw=False, **_):
    global count
    asked = display_id is True
    if asked:
        count += 1
        display_id = "display-%d" % count
    for value in values:
        bundle = value if raw and isinstance(value, dict) else driver.companion("showing").bundle_of(value)
        if bundle:
            driver.publish(bundle, display_id=str(display_id), **({"update": True} if update else {}))
    return DisplayHandle(display_id) if not update else None


def shown_as(mime):
    readable = mime in ("text/markdown", "text/latex")

    def cell(text, body, place):
        driver.publish({mime: body, "text/plain": body.strip() if readable else "<%s object>" % mime})

    return cell


cell_html = cell_HTML = shown_as("text/html")
cell_javascript = cell_js = shown_as("application/javascript")
cell_latex = shown_as("text/latex")
cell_markdown = shown_as("text/markdown")
cell_svg = cell_SVG = shown_as("image/svg+xml")
