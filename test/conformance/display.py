display() and what values say of themselves.

# %%
display(1, "two", [3])

# %%
print("a")
display({"b": 1})
print("c")

# %%
from IPython.display import HTML, Image, JSON, Latex, Markdown, SVG, clear_output, display, update_display
display(HTML("<b>bold</b>"))

# %%
Markdown("*emphasis*")

# %%
Latex("$x$")

# %%
SVG("<svg xmlns='http://www.w3.org/2000/svg'/>")

# %%
JSON({"a": 1})

# %%
handle = display("first", display_id=True)
handle.update("second")

# %%
class Rich:
    def _repr_html_(self):
        return "<i>rich</i>"
    def __repr__(self):
        return "plain"
Rich()

# %%
class Bundled:
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": "<i>b</i>", "text/plain": "b", "application/json": {"a": 1}}
Bundled()

# %%
class Itself:
    def _ipython_display_(self):
        print("shown by itself")
Itself()

# %%
class Failing:
    def _repr_html_(self):
        raise RuntimeError("no HTML")
    def __repr__(self):
        return "only text"
Failing()

# %%
display({"text/plain": "raw", "text/html": "<b>raw</b>"}, raw=True)

# %%
import base64
Image(base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="))

# %%
clear_output()
print("after")
