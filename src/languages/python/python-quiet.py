"""For code of the person's that runs outside of blocks: what it prints and displays is not part of any of them."""

import contextlib
import io


@contextlib.contextmanager
def quiet():
    shown, driver.captured = driver.captured, []
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            yield
    finally:
        driver.captured = shown
