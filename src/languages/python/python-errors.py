"""What is said about an error: its traceback, with the lines of the block and none of ours."""

import traceback


def tell(error):
    """The message and the traceback."""
    kind = type(error)
    if in_block(error) or kind in driver.usage_errors:
        text = "".join(traceback.format_exception_only(kind, error))
    else:
        trim(error, set())
        text = "".join(traceback.format_exception(kind, error, error.__traceback__))
    if isinstance(error, ModuleNotFoundError):
        text += driver.attempt(lambda: driver.companion("packages").offer(error)) or ""
    return driver.attempt(lambda: str(error)) or "", text


def in_block(error):
    """Whether it is an error in how the block is written: then the place says it all."""
    return isinstance(error, SyntaxError) and (error.filename or "").startswith("<block")


def trim(error, seen):
    """Takes our own frames out of the traceback, and out of those it was raised from."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    # Not only those at the beginning: a block may have called input() or display().
    kept = []
    entry = error.__traceback__
    while entry is not None:
        if entry.tb_frame.f_code.co_filename not in driver.own_files:
            kept.append(entry)
        entry = entry.tb_next
    tail = None
    for entry in reversed(kept):
        entry.tb_next = tail
        tail = entry
    error.__traceback__ = tail
    trim(error.__cause__, seen)
    trim(error.__context__, seen)
