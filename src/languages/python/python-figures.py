"""Figures of matplotlib as pictures: without a display, by plt.show() and at the end of each block."""

import io
import os
import sys
import types

BACKEND = "interpreter_figures_backend"


def adjust(matplotlib):
    """Called when a block imports matplotlib: its figures come to us from now on."""
    if os.environ.get("MPLBACKEND"):
        return  # the person has chosen
    from matplotlib import backend_bases
    from matplotlib.backends import backend_agg

    backend = types.ModuleType(BACKEND)
    backend.FigureCanvas = backend_agg.FigureCanvasAgg
    backend.FigureManager = getattr(backend_agg.FigureCanvasAgg, "manager_class", backend_bases.FigureManagerBase)
    backend.show = show
    sys.modules[BACKEND] = backend
    matplotlib.use("module://" + BACKEND)


def png_of(figure):
    out = io.BytesIO()
    figure.savefig(out, format="png", bbox_inches="tight")
    return out.getvalue()


def show(*_, **__):
    """Shows every open figure and closes it."""
    from matplotlib import _pylab_helpers

    for manager in _pylab_helpers.Gcf.get_all_fig_managers():
        driver.display(manager.canvas.figure)
    sys.modules["matplotlib.pyplot"].close("all")


def show_open():
    """Shows what is open, unless the person has chosen to see figures in another way."""
    if sys.modules["matplotlib"].rcParams["backend"] == "module://" + BACKEND:
        show()


def clear(show):
    """After a block that did not come to its end: no figure of it turns up with the next one."""
    if show:
        driver.attempt(show_open)
    driver.attempt(lambda: sys.modules["matplotlib.pyplot"].close("all"))
