"""Small adjustments to libraries, made when a block imports them: charts that would open a browser are shown by us, a
progress bar that wants a notebook's widgets is text, a debugger asks the person.
"""

import os
import sys
import threading


def find_spec(finder, name):
    """The module as it is found without us, adjusted when it has been loaded."""
    import importlib.util

    finder.looking = True
    try:
        spec = importlib.util.find_spec(name)
    finally:
        finder.looking = False
    if spec is None or spec.loader is None:
        return spec
    run = spec.loader.exec_module

    def exec_module(module):
        run(module)
        if name in finder.waiting:
            finder.waiting.remove(name)
            driver.attempt(lambda: ADJUST[name](module))

    spec.loader.exec_module = exec_module
    return spec


def on_asyncio(asyncio):
    """In a notebook a loop is always running, so create_task() works without await; here the task waits for the loop."""
    plain = {name: getattr(asyncio, name) for name in ("create_task", "ensure_future")}

    def soon(name):
        def make(awaitable, **options):
            if in_the_session() and asyncio._get_running_loop() is None and asyncio.iscoroutine(awaitable):
                options.pop("loop", None)
                return driver.companion("loop").event_loop().create_task(awaitable, **options)
            return plain[name](awaitable, **options)

        make.__doc__ = plain[name].__doc__
        make.__name__ = make.__qualname__ = name
        return make

    for name in plain:
        setattr(asyncio, name, soon(name))
    if in_the_session():
        driver.companion("loop").event_loop()


def in_the_session():
    return threading.current_thread() is driver.main_thread and os.getpid() == driver.channel.pid


def on_getpass(getpass):
    driver.companion("asking").adjust_getpass(getpass)


def on_ipython(ipython):
    """`from IPython.display import display` and its like go through us."""
    driver.companion("ipython").start()


def on_pandas(pandas):
    pandas.set_option("display.max_columns", 20)  # as in a notebook; its HTML goes by this, too


def on_spawn(spawn):
    driver.companion("processes").prepare(spawn)


# --- charts -----------------------------------------------------------------------------------------------------


def on_matplotlib(matplotlib):
    driver.companion("figures").adjust(matplotlib)


def on_plotly(renderers):
    theirs = renderers.show

    def show(figure, renderer=None, *arguments, **options):
        if renderer is not None:
            return theirs(figure, renderer, *arguments, **options)
        if isinstance(figure, dict):
            import plotly.graph_objects

            figure = plotly.graph_objects.Figure(figure)
        driver.display(figure)

    renderers.show = show
    renderers.renderers.default = "plotly_mimetype"


def on_altair(altair):
    altair.renderers.enable("mimetype")
    altair.TopLevelMixin.show = lambda self, *_, **__: driver.display(self)
    altair.TopLevelMixin.display = lambda self, *_, **__: driver.display(self)


def on_bokeh(showing):
    theirs = showing.show

    def show(chart, *arguments, **options):
        from bokeh.embed import file_html
        from bokeh.io import save
        from bokeh.io.state import curstate
        from bokeh.resources import INLINE

        if callable(chart) or getattr(chart, "_is_a_bokeh_application_class", False):
            return theirs(chart, *arguments, **options)
        if curstate().file is not None:
            save(chart)
        charts = chart if isinstance(chart, (list, tuple)) else [chart]
        for each in charts:
            text = driver.companion("summaries").text_of(each)
            driver.publish({"text/html": file_html(each, INLINE), "text/plain": text})

    showing.show = show


# --- progress bars ----------------------------------------------------------------------------------------------


def on_tqdm_notebook(notebook):
    from tqdm.std import tqdm, trange

    notebook.tqdm = notebook.tqdm_notebook = tqdm
    notebook.trange = notebook.tnrange = trange


# --- the debugger -----------------------------------------------------------------------------------------------


def on_pdb(pdb):
    """The debugger asks the person through input(); it does not step into us."""
    stop_here = pdb.Pdb.stop_here
    driver.own_files.update(sys.modules[name].__file__ for name in ("pdb", "bdb", "cmd"))

    def stop_outside(self, frame):
        code = frame.f_code
        if code.co_filename not in driver.own_files:
            return stop_here(self, frame)
        if code.co_name in ("execute", "run_async", "run_tree", "run_block", "serve"):  # the block is left
            sys.settrace(None)
        return False

    def nobody(self, _):
        said = "the debugger was asked for, but nobody is here to answer. Print the values instead."
        raise driver.companion("asking").NobodyThere(said)

    pdb.Pdb.stop_here = stop_outside
    pdb.Pdb.do_EOF = nobody


def stop_debugging():
    """The debugger's work ends with the block it was called in."""
    bdb = sys.modules.get("bdb")
    if bdb is not None and isinstance(getattr(sys.gettrace(), "__self__", None), bdb.Bdb):
        sys.settrace(None)


ADJUST = {
    "IPython": on_ipython,
    "altair": on_altair,
    "asyncio": on_asyncio,
    "bokeh.io.showing": on_bokeh,
    "getpass": on_getpass,
    "matplotlib": on_matplotlib,
    "multiprocessing.spawn": on_spawn,
    "pandas": on_pandas,
    "pdb": on_pdb,
    "plotly.io._renderers": on_plotly,
    "tqdm.notebook": on_tqdm_notebook,
}
