"""Waits for the next block inside the event loop, so that background tasks go on between blocks."""

import asyncio
import queue


def next_block():
    loop = driver.loop
    interrupted = False
    try:
        asyncio.get_event_loop()
    except RuntimeError:
        asyncio.set_event_loop(loop)  # asyncio.run() leaves none behind
    while True:
        wake = loop.create_future()
        driver.idle_wake = lambda: call_soon(loop, wake)
        try:
            # A block that came before idle_wake was set wakes nobody: look first.
            if driver.blocks.empty():
                loop.run_until_complete(wake)
        except SystemExit as error:
            driver.leave(error.code)
        except KeyboardInterrupt:
            interrupted = True
        except BaseException as error:
            driver.sys.stderr.write("%s in a background task: %s\n" % (type(error).__name__, error))
        finally:
            driver.idle_wake = None
        if loop.is_closed():
            return driver.blocks.get()
        try:
            block = driver.blocks.get_nowait()
        except queue.Empty:
            continue
        if interrupted and block[0] is not None:  # the block was stopped while a task kept it from starting
            return block[0], "raise KeyboardInterrupt", block[2]
        return block


def call_soon(loop, wake):
    try:
        loop.call_soon_threadsafe(lambda: wake.done() or wake.set_result(None))
    except RuntimeError:
        pass  # closed meanwhile
