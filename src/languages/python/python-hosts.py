"""Notes which hosts code reaches, by the names it looked up or by their addresses. Loaded when code first has to do with sockets."""

import sys

MOST = 100  # hosts of a block that are told
MOST_NAMES = 1000  # addresses whose names are remembered

reached = {}  # since the last block ended: by name, or by address where no name is known, the addresses of it
names = {}  # by address, the name it was looked up by


def watch_lookups():
    """What a lookup found is not told to those who listen to it, so it is asked through us."""
    library = sys.modules["_socket"]
    theirs = library.getaddrinfo

    def getaddrinfo(host, *arguments, **options):
        found = theirs(host, *arguments, **options)
        driver.attempt(lambda: looked_up(host, [each[4][0] for each in found]))
        return found

    getaddrinfo.__doc__ = theirs.__doc__
    library.getaddrinfo = getaddrinfo


def looked_up(host, addresses):
    name = text_of(host)
    if is_here(name) or is_address(name) or all(map(is_here, addresses)):
        return
    for address in addresses:
        if len(names) < MOST_NAMES:
            names.setdefault(address, name)
    note(name, addresses)


def heard(event, arguments):
    if event == "socket.gethostbyname":
        name = text_of(arguments[0])
        if not is_here(name):
            note(name)
        return
    socket, place = arguments[0], arguments[1]
    library = sys.modules["_socket"]
    if isinstance(place, tuple) and place and int(socket.family) in (library.AF_INET, library.AF_INET6):
        address = text_of(place[0]).partition("%")[0]
        if not is_here(address):
            note(names.get(address, address), [address])


def note(name, addresses=()):
    if name in reached or len(reached) < MOST:
        known = reached.setdefault(name, [])
        known.extend(each for each in addresses if each not in known and each != name)


def take():
    """What was reached since this was last asked."""
    told = dict(reached)
    reached.clear()
    return told


def text_of(host):
    return host.decode("ascii", "replace") if isinstance(host, (bytes, bytearray)) else str(host or "")


def is_address(host):
    return ":" in host or host.replace(".", "").isdigit()


def is_here(host):
    plain = host[7:] if host.startswith("::ffff:") else host
    return plain in ("", "::", "::1", "0.0.0.0", "localhost") or plain.startswith("127.") or plain.endswith(".localhost")
