"""What is asked of the session between blocks. It runs where a block would, so that it can be stopped in the same way."""

import signal


def answer(command, answers, plain=()):
    """What `answers` has to say to the command. Errors are words; those of the kind `plain` are said as they are."""
    try:
        try:
            driver.running = driver.VIEWING
            signal.signal(signal.SIGINT, signal.default_int_handler)
            value = answers[command["do"]](command)
        finally:
            idle()
    except KeyboardInterrupt:
        value = {"problem": "It was stopped."}
    except plain as problem:
        value = {"problem": str(problem)}
    except BaseException as error:
        value = {"problem": "%s: %s" % (type(error).__name__, first_line(error))}
    idle()  # a second interrupt may have come in the middle of the first time
    return value


def reply(command, value):
    driver.channel.send({"op": "reply", "id": command["id"], "value": value})


def idle():
    signal.signal(signal.SIGINT, driver.while_idle)
    driver.running = None


def first_line(error):
    return (str(error).strip() or "no reason given").splitlines()[0][:300]
