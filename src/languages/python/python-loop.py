"""The event loop of the session: blocks that await something run in it, and background tasks go on in it between blocks."""

import queue


def event_loop():
    import asyncio  # not above: when it is first imported, on_asyncio() asks us for the loop

    if driver.loop is None or driver.loop.is_closed():
        driver.loop = asyncio.new_event_loop()
        asyncio.set_event_loop(driver.loop)
    return driver.loop


def run_async(coroutine):
    loop = event_loop()
    task = loop.create_task(coroutine)
    try:
        return loop.run_until_complete(task)
    except KeyboardInterrupt:
        task.cancel()
        try:
            loop.run_until_complete(task)
        except BaseException:
            pass
        raise


def next_block():
    import asyncio

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
