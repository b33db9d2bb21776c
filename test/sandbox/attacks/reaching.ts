// Reaching a host that nobody allowed, and the doors of other programs.

import { type Attack, inLanguage } from "../attack.ts";

/** `{tcp}` is served by a program outside, on all addresses of this machine; whoever connects there is counted. */
const bare =
  "env -u HTTP_PROXY -u http_proxy -u HTTPS_PROXY -u https_proxy -u ALL_PROXY -u all_proxy -u NO_PROXY -u no_proxy";
const asked = (request: string) =>
  `exec 5<>/dev/tcp/127.0.0.1/{proxyPort} && printf '${request.replace("\\r\\n", "\\r\\n{proxyWords}")}' >&5 && timeout 1 cat <&5; exec 5>&-`;

const shell = inLanguage("shell", [
  ["a service of this machine", "curl -m 1 -s http://127.0.0.1:{tcp}/"],
  ["a service of this machine, by name", "curl -m 1 -s http://localhost:{tcp}/"],
  ["a service of this machine, by IPv6", "curl -m 1 -s 'http://[::1]:{tcp}/'"],
  ["a service of this machine, by a mapped address", "curl -m 1 -s 'http://[::ffff:127.0.0.1]:{tcp}/'"],
  ["a service of this machine, without bash's help", "exec 5<>/dev/tcp/127.0.0.1/{tcp} && echo W''ON"],
  ["an address without the proxy", `${bare} curl -m 1 -s http://{address}:{tcp}/`],
  ["any address without the proxy", `${bare} curl -m 1 -s http://192.0.2.1/ && echo W''ON`],
  ["through the proxy, by address", "curl -m 1 -s -x http://{proxy} http://{address}:{tcp}/"],
  ["through the proxy, loopback", "curl -m 1 -s --noproxy '' -x http://{proxy} http://127.0.0.1:{tcp}/"],
  [
    "through the proxy, loopback in numbers",
    "for h in 2130706433 0x7f000001 0177.0.0.1 127.1 0 localhost. LOCALHOST; do curl -m 1 -s --noproxy '' -x http://{proxy} http://$h:{tcp}/; done",
  ],
  ["CONNECT to loopback", asked("CONNECT 127.0.0.1:{tcp} HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.0\\r\\n\\r\\n")],
  [
    "CONNECT with odd spellings",
    [
      "127.1:{tcp}",
      "[::1]:{tcp}",
      "[::ffff:7f00:1]:{tcp}",
      "0:{tcp}",
      "localhost.:{tcp}",
      "2130706433:{tcp}",
      "127.0.0.1%00.{allowedHost}:{tcp}",
      "{allowedHost}@127.0.0.1:{tcp}",
      "①27.0.0.1:{tcp}",
    ]
      .map((host) => asked(`CONNECT ${host.replaceAll("%", "%%")} HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.0\\r\\n\\r\\n`))
      .join("; "),
  ],
  [
    "the other ports of a host that is allowed",
    "curl -m 1 -s -x http://{proxy} http://{allowedHost}:{tcp}/; curl -m 1 -s -p -x http://{proxy} http://{allowedHost}:{tcp}/",
  ],
  [
    "a Host header that names another one",
    asked("GET http://{allowedHost}:{allowed}/ HTTP/1.1\\r\\nHost: 127.0.0.1:{tcp}\\r\\n\\r\\n"),
  ],
  ["a Host header instead of an address", asked("GET / HTTP/1.1\\r\\nHost: 127.0.0.1:{tcp}\\r\\n\\r\\n")],
  [
    "an address with somebody's name",
    asked("GET http://{allowedHost}:{allowed}@127.0.0.1:{tcp}/ HTTP/1.1\\r\\n\\r\\n"),
  ],
  [
    "a second request in the same connection",
    asked(
      "GET http://{allowedHost}:{allowed}/ HTTP/1.1\\r\\n\\r\\nGET http://127.0.0.1:{tcp}/ HTTP/1.1\\r\\nHost: 127.0.0.1:{tcp}\\r\\n\\r\\n",
    ),
  ],
  [
    "a smuggled line in a request",
    asked("GET http://{allowedHost}:{allowed}/ HTTP/1.1\\nX: CONNECT 127.0.0.1:{tcp}\\r\\n\\r\\n"),
  ],
  [
    "a redirect to a host that is not allowed",
    "curl -m 1 -s -L --noproxy '' -x http://{proxy} http://{allowedHost}:{allowed}/redirect",
  ],
  ["SOCKS by address", "curl -m 1 -s --noproxy '' -x socks5://{proxy} http://127.0.0.1:{tcp}/"],
  ["SOCKS by name", "curl -m 1 -s --noproxy '' -x socks5h://{proxy} http://localhost:{tcp}/"],
  ["SOCKS 4", "curl -m 1 -s --noproxy '' -x socks4a://{proxy} http://localhost:{tcp}/"],
  [
    "where clouds hand out keys",
    "curl -m 1 -s http://169.254.169.254/ | grep -v 'The sandbox does not let' | grep -q . && echo W''ON; curl -m 1 -s http://metadata.google.internal/ | grep -v 'The sandbox' | grep -q . && echo W''ON",
  ],
  ["ping", "ping -c 1 -W 1 {address} && [ {address} != 127.0.0.1 ] && echo W''ON"],
  [
    "devices of the network",
    "ip link | grep -v LOOPBACK | grep -q 'state UP' && echo W''ON; ip link add d0 type dummy && echo W''ON",
  ],
  [
    "a network of its own, with all rights",
    `unshare -Urn sh -c 'ip link set lo up; ${bare} curl -m 1 -s http://127.0.0.1:{tcp}/'`,
  ],
  ["the network of the first process", "nsenter -t 1 -n true && [ $(id -u) = 0 ] && echo W''ON"],
  ["docker", "docker -H unix:///var/run/docker.sock ps && echo W''ON; curl -m 1 -s --unix-socket {socket} http://x/"],
  [
    "the bus of the desktop",
    "dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames && echo W''ON; dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames && echo W''ON",
  ],
  ["the agent with the person's keys", "SSH_AUTH_SOCK={socket} ssh-add -l; ssh-add -l && echo W''ON"],
  ["X11", "DISPLAY=:0 timeout 1 xdpyinfo && echo W''ON; DISPLAY=:99 timeout 1 xdpyinfo && echo W''ON"],
  ["terminals of tmux and screen", "tmux ls && echo W''ON; screen -ls | grep -q tached && echo W''ON"],
]);

const python = inLanguage("python", [
  ["a socket to this machine", "import socket; socket.create_connection(('127.0.0.1', {tcp}), 2)"],
  ["a socket to an address", "import socket; socket.create_connection(('{address}', {tcp}), 2)"],
  ["IPv6", "import socket; s = socket.socket(socket.AF_INET6); s.settimeout(2); s.connect(('::1', {tcp}))"],
  [
    "IPv4 in IPv6",
    "import socket; s = socket.socket(socket.AF_INET6); s.settimeout(2); s.connect(('::ffff:127.0.0.1', {tcp}))",
  ],
  [
    "an address, at the port of the way out",
    "import socket; socket.create_connection(('{address}', {proxyPort}), 2); print('W' + 'ON')",
  ],
  [
    "a connection with the first packet",
    "import socket; socket.socket().sendto(b'x', 0x20000000, ('127.0.0.1', {tcp})); print('W' + 'ON')",
  ],
  [
    "a connection whose address changes meanwhile",
    `
import ctypes, socket, struct, threading
libc = ctypes.CDLL(None, use_errno=True)
to = lambda port: struct.pack('=H', 2) + struct.pack('>H', port) + bytes([127, 0, 0, 1]) + bytes(8)
address = ctypes.create_string_buffer(to({proxyPort}), 16)
going = True
def swap():
    while going:
        for port in ({tcp}, {proxyPort}): ctypes.memmove(address, to(port), 16)
thread = threading.Thread(target=swap); thread.start()
for n in range(40):
    with socket.socket() as one: libc.connect(one.fileno(), address, 16)
going = False; thread.join()
`,
  ],
  ["UDP", "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {udp}))"],
  ["UDP to an address", "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('{address}', {udp}))"],
  ["a question for names", "import socket; socket.getaddrinfo('attack.example.org', 80); print('W' + 'ON')"],
  ["a raw socket", "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1); print('W' + 'ON')"],
  ["a packet socket", "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW); print('W' + 'ON')"],
  [
    "a socket in the file system",
    "import socket; socket.socket(socket.AF_UNIX).connect('{socket}'); print('W' + 'ON')",
  ],
  [
    "a socket in the file system, through /proc",
    "import socket; socket.socket(socket.AF_UNIX).connect('/proc/self/root{socket}'); print('W' + 'ON')",
  ],
  ["a socket that came later", "import socket; socket.socket(socket.AF_UNIX).connect('{later}'); print('W' + 'ON')"],
  ["an abstract socket", "import socket; socket.socket(socket.AF_UNIX).connect('\\0{abstract}'); print('W' + 'ON')"],
  [
    "datagrams to a socket in the file system",
    "import socket; socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', '{socket}'); print('W' + 'ON')",
  ],
  [
    "netlink, to follow other processes",
    `
import os, socket, struct, subprocess
s = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, 11); s.bind((0, 1)); s.settimeout(0.3)
s.send(struct.pack('=IHHII', 40, 3, 0, 0, os.getpid()) + struct.pack('=IIIIHHI', 1, 1, 0, 0, 4, 0, 1))
subprocess.run(['true'])
s.recv(1000); print('W' + 'ON')
`,
  ],
]);

const javascript = inLanguage("javascript", [
  ["fetch", "await fetch('http://127.0.0.1:{tcp}/', { signal: AbortSignal.timeout(2000) })"],
  [
    "fetch of an address",
    "const r = await fetch('http://{address}:{tcp}/', { signal: AbortSignal.timeout(2000) }); await r.text()",
  ],
  [
    "Node's own connection",
    "await new Promise((done) => require('node:net').connect({tcp}, '{address}').on('connect', () => { console.log('W' + 'ON'); done() }).on('error', done))",
  ],
]);

export const reaching: Attack[] = [...shell, ...python, ...javascript];
