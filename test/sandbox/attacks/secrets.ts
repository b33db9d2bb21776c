// Reading what the person keeps to themselves.

import { type Attack, inLanguage } from "../attack.ts";
import { secretFiles } from "../place.ts";

const files = inLanguage(
  "shell",
  secretFiles.map((name) => [`reading ~/${name}`, `cat '{home}/${name}'`] as const),
);

const shell = inLanguage("shell", [
  ["all of the home folder in an archive", "tar cf - {home} 2>/dev/null | strings"],
  ["searching the home folder", "grep -r . {home} 2>/dev/null"],
  ["a link to a secret", "ln -s {home}/.ssh s; cat s/id_ed25519; rm s"],
  ["a hard link to a secret", "ln {home}/.netrc n && cat n; ln {home}/.netrc /tmp/n-$$ && cat /tmp/n-$$"],
  [
    "a secret through /proc",
    "cat /proc/self/root{home}/.ssh/id_ed25519 /proc/1/root{home}/.ssh/id_ed25519 /proc/self/cwd/../home/.netrc",
  ],
  ["passwords of the system", "[ $(cat /etc/shadow | wc -c) -gt 0 ] && echo W''ON"],
  ["keys of the system", "ls /etc/ssl/private /etc/ssh 2>/dev/null | grep key && echo W''ON"],
  ["keys in our own environment", "env; export -p; cat /proc/self/environ /proc/$PPID/environ"],
  ["the environment of other processes", "cat /proc/[0-9]*/environ"],
  [
    "what other processes were started with",
    "cat /proc/{victim}/cmdline; cat /proc/[0-9]*/cmdline | strings; ps auxww",
  ],
  ["what undo keeps", "grep -r . {home}/.oi/undo"],
  ["our keys by our own name for them", "cat {home}/.oi/keys.json"],
  [
    "what is hidden, by where it is mounted",
    "cat /proc/mounts | grep -o '{home}[^ ]*' | while read f; do cat $f; ls $f; done 2>/dev/null",
  ],
]);

const python = inLanguage("python", [
  ["Python's open on a key", "print(open('{home}/.ssh/id_ed25519').read())"],
  ["our own file functions on a key", "print(computer.files.read('{home}/.ssh/id_ed25519'))"],
  [
    "our own search over the home folder",
    "print(computer.files.search('.', '{home}/.ssh'), computer.files.search('SECRET', '{home}'))",
  ],
  ["our own listing of a hidden folder", "assert not computer.files.list('{home}/.ssh'), 'W' + 'ON'"],
  [
    "memory of the first process",
    `
try:
    maps = open('/proc/1/maps').read().split('\\n')
    if maps[0]: open('/proc/1/mem', 'rb').read(1); print('W' + 'ON')
except OSError: pass
`,
  ],
  [
    "memory of a process outside",
    `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
class Piece(ctypes.Structure): _fields_ = [('at', ctypes.c_void_p), ('length', ctypes.c_size_t)]
buffer = ctypes.create_string_buffer(8)
for pid in ({host}, {victim}, 1):
    if libc.process_vm_readv(pid, ctypes.byref(Piece(ctypes.addressof(buffer), 8)), 1, ctypes.byref(Piece(0x400000, 8)), 1, 0) > 0: print('W' + 'ON')
`,
  ],
  [
    "tracing our process",
    `
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for pid in ({host}, {victim}, 1):
    if libc.ptrace(16, pid, 0, 0) == 0: print('W' + 'ON')
    if libc.ptrace(0x4206, pid, 0, 0) == 0: print('W' + 'ON')
`,
  ],
  [
    "shared memory of others",
    `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
if [name for name in os.listdir('/dev/shm') if name.startswith('attack-test')]: print('W' + 'ON')
`,
  ],
]);

const javascript = inLanguage("javascript", [
  ["Node's readFileSync on a key", "console.log(require('node:fs').readFileSync('{home}/.aws/credentials', 'utf8'))"],
  ["keys in Node's environment", "console.log(process.env)"],
]);

export const secrets: Attack[] = [...files, ...shell, ...python, ...javascript];
