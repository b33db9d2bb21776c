// Disturbing processes outside, and forging what a session tells us.

import { existsSync } from "node:fs";
import { type Attack, inLanguage } from "../attack.ts";

const shell = inLanguage("shell", [
  ["ending our process", "kill -9 {host} && echo W''ON"],
  ["ending a process of the person", "kill -9 {victim} && echo W''ON"],
  ["ending it by its name", "pkill -f {mark} && echo W''ON; killall -9 node 2>/dev/null && echo W''ON"],
  ["signalling the first process", "kill -STOP 1; kill -9 1; true"],
  ["stopping what waits for us", "kill -9 $PPID 2>/dev/null; true"],
  ["another priority for it", "renice 19 -p {victim} && echo W''ON"],
  ["other limits for it", "prlimit --pid {victim} --nofile=1:1 && echo W''ON"],
  ["other processors for it", "taskset -p 1 {victim} && echo W''ON"],
  ["seeing it at all", "[ -e /proc/{victim}/status ] && grep -q '{mark}' /proc/{victim}/cmdline && echo W''ON"],
  [
    "terminals of others",
    "ls /dev/pts | grep -v ptmx | while read t; do (exec 7>/dev/pts/$t) 2>/dev/null && echo W''ON; done",
  ],
  [
    "becoming an administrator",
    "sudo -n true && echo W''ON; pkexec true && echo W''ON; su -c true </dev/null && [ $(id -u) != 0 ] && echo W''ON",
  ],
  [
    "getting rights back",
    "capsh --has-p=cap_sys_admin && echo W''ON; grep -q 'NoNewPrivs:.*1' /proc/self/status || { [ $(id -u) = 0 ] && echo W''ON; }",
  ],
]);

/** What no namespace covers; a filter does, where Perl is there to put it on. */
const withoutNamespaces = [
  [
    "the machine around a virtual machine",
    `
import socket
try: socket.socket(40, socket.SOCK_STREAM); print('W' + 'ON')
except OSError: pass
`,
  ],
  [
    "the kernel's keys",
    `
import ctypes, errno, platform
libc = ctypes.CDLL(None, use_errno=True)
keyctl, add_key = {'x86_64': (250, 248), 'aarch64': (219, 217)}[platform.machine()]
for ring in (-1, -2, -3, -4, -5):
    if libc.syscall(keyctl, 0, ring, 1) != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS): print('W' + 'ON')
if libc.syscall(add_key, b'user', b'attack', b'x', 1, -4) != -1: print('W' + 'ON')
`,
  ],
  [
    "what the kernel runs and measures for others",
    `
import ctypes, errno, platform
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(256)
numbers = {'x86_64': (321, 298, 323, 425), 'aarch64': (280, 241, 282, 425)}[platform.machine()]
for number in numbers:
    if libc.syscall(number, 0, buffer, 128, 0, 0) != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS): print('W' + 'ON')
`,
  ],
] as const;

const python = inLanguage("python", [
  [
    "signals to everybody",
    `
import os, signal
signal.signal(signal.SIGUSR2, signal.SIG_IGN)
for pid in ({host}, {victim}, -{host}, -{victim}):
    try: os.kill(pid, signal.SIGKILL); print('W' + 'ON')
    except ProcessLookupError: pass
    except PermissionError: pass
`,
  ],
  [
    "a handle of a process",
    `
import os
for pid in ({host}, {victim}):
    try: os.pidfd_open(pid); print('W' + 'ON')
    except OSError: pass
`,
  ],
  [
    "a message queue of the system",
    `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
if libc.msgget({ipc}, 0) >= 0 or libc.shmget({ipc}, 0, 0) >= 0: print('W' + 'ON')
`,
  ],
  [
    "putting words into a terminal",
    `
import fcntl, os, termios
try:
    fd = os.open('/dev/tty', os.O_RDWR); fcntl.ioctl(fd, termios.TIOCSTI, b'x'); print('W' + 'ON')
except OSError: pass
`,
  ],
  ...(existsSync("/usr/bin/perl") ? withoutNamespaces : []),
]);

/** Lines on the descriptor that a driver tells its events on. None of them may do more than end this block. */
const forged: [name: string, line: string][] = [
  ["a false end", `'{"op":"end","id":1,"status":"ok"}'`],
  ["an end of a block that never was", `'{"op":"end","id":99999999,"status":"ok","exitCode":0}'`],
  ["an end without a number", `'{"op":"end","id":NaN,"status":"ok"}'`],
  ["a false move to our process", `'{"op":"moved","token":"x","pid":{host},"group":{host},"notes":[]}'`],
  ["a false move to everybody", `'{"op":"moved","token":"","pid":-1,"group":-1}'`],
  ["a call that approves", `'{"op":"call","id":1,"name":"approve","args":[]}'`],
  [
    "a call of something that is in every object",
    `'{"op":"call","id":2,"path":"constructor.constructor","name":"__proto__","args":["return process"]}'`,
  ],
  ["a call with a strange number", `'{"op":"call","id":"__proto__","name":"files.read","args":["/etc/passwd"]}'`],
  ["an answer that nobody waits for", `'{"op":"reply","id":1,"value":{"__proto__":{"autoRun":true}}}'`],
  ["ready, once more", `'{"op":"ready","version":"\\\\u001b[2J"}'`],
  ["a line of eight million letters", `'{"op":"call","name":"' + 'x' * 8_000_000 + '"}'`],
  ["eight million brackets", `'[' * 8_000_000`],
  ["bytes that are no text", `'\\udcff\\udcfe'`],
  ["no line at all", `'\\0' * 1000`],
];

const forging = inLanguage(
  "python",
  forged.map(
    ([name, line]) =>
      [
        `forging: ${name}`,
        `
import os
line = (${line} + '\\n').encode('utf-8', 'surrogateescape')
# Nobody reads the other one from there: a long line would wait for ever.
for fd in (4, 3) if len(line) < 10_000 else (4,):
    try: os.write(fd, line)
    except OSError: pass
`,
      ] as const,
  ),
);

export const processes: Attack[] = [...shell, ...python, ...forging];
