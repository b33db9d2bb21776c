// Writing outside of the workspace, by every way there.

import { type Attack, inLanguage } from "../attack.ts";

const shell = inLanguage("shell", [
  ["a new file", "echo x > {outside}/new"],
  ["an existing file", "echo x >> {outside}/file"],
  ["deleting", "rm -rf {outside}/*"],
  ["emptying", "truncate -s 0 {outside}/file"],
  ["changing permissions", "chmod 777 {outside}/file"],
  ["changing the owner", "chown $(id -u):$(id -g) {outside}/file && echo W''ON"],
  ["changing times", "touch -d 2001-01-01 {outside}/file"],
  ["a folder link out of the workspace", "ln -s {outside} way; echo x > way/file; rm way"],
  ["a file link out of the workspace", "ln -s {outside}/file one; echo x > one; rm one"],
  ["a link that was there before", "echo x > leads-out/file"],
  ["a hard link", "ln {outside}/file hard && echo x > hard"],
  ["a hard link from the temporary folder", "ln {outside}/file /tmp/hard-$$ && echo x > /tmp/hard-$$"],
  ["moving a file in", "mv {outside}/file moved"],
  ["moving a file out", "echo x > mine; mv mine {outside}/mine"],
  ["up and out", "cd .. && cd outside && echo x > new"],
  ["/proc/self/root", "echo x > /proc/self/root{outside}/new"],
  ["/proc/self/cwd", "echo x > /proc/self/cwd/../outside/new"],
  ["/proc/1/root", "echo x > /proc/1/root{outside}/new"],
  ["/proc/1/cwd", "echo x > /proc/1/cwd{outside}/new"],
  ["the root of every process", 'for p in /proc/[0-9]*; do echo x > "$p/root{outside}/new"; done 2>/dev/null'],
  ["the descriptors of the first process", "for f in /proc/1/fd/*; do (exec 7<$f) 2>/dev/null && echo W''ON; done"],
  ["a bind mount", "mkdir -p m; mount --bind {outside} m && echo x > m/new && echo W''ON"],
  ["mounting again, writable", "mount -o remount,rw / && echo W''ON; mount -o remount,bind,rw / && echo W''ON"],
  ["taking the layer away", "umount -l {work} && echo W''ON"],
  ["taking the walls of a secret away", "umount -l {home}/.ssh && cat {home}/.ssh/id_ed25519"],
  ["pivot_root", "mkdir -p p; pivot_root / p && echo W''ON"],
  ["chroot", "chroot /proc/1/root sh -c 'echo x > {outside}/new'"],
  ["a device node of its own", "mknod disk b 254 0 && head -c 1 disk | grep -qc . && echo W''ON; rm -f disk"],
  ["a loop device", "losetup -f {work}/data.csv && echo W''ON"],
  ["a namespace of a user", "unshare -Ur sh -c 'echo x > {outside}/new'"],
  [
    "mounting again in a namespace of a user",
    "unshare -Urm sh -c 'mount -o remount,bind,rw / ; mount -o remount,rw / ; echo x > {outside}/new'",
  ],
  [
    "taking walls away in a namespace of a user",
    "unshare -Urm sh -c 'umount -l {home}/.ssh; umount {home}/.ssh; cat {home}/.ssh/id_ed25519'",
  ],
  [
    "looking below the walls in a namespace of a user",
    "mkdir -p /tmp/below-$$; unshare -Urm sh -c 'mount --bind / /tmp/below-'$$' && cat /tmp/below-'$$'{home}/.ssh/id_ed25519'",
  ],
  [
    "an overlay over what is hidden",
    "mkdir -p o/u o/w o/m; unshare -Urm sh -c 'mount -t overlay overlay -o lowerdir={home},upperdir=o/u,workdir=o/w o/m && cat o/m/.ssh/id_ed25519'; rm -rf o",
  ],
  [
    "walls in a namespace of another user",
    "setpriv --reuid=12345 --regid=12345 --clear-groups unshare -Urm sh -c 'umount -l {home}/.ssh; mount -o remount,bind,rw /; cat {home}/.ssh/id_ed25519; echo x > {outside}/new'",
  ],
  ["entering the first process", "nsenter -t 1 -a sh -c 'echo x > {outside}/new'"],
  ["a chroot in a namespace of a user", "unshare -Ur chroot /proc/1/root sh -c 'echo x > {outside}/new'"],
  ["the pattern of core dumps", "p=/proc/sys/kernel/core_pattern; v=$(cat $p); echo \"$v\" > $p && echo W''ON"],
  ["settings of the kernel", "sysctl -w kernel.panic=$(cat /proc/sys/kernel/panic) && echo W''ON"],
  ["the name of the machine", "hostname \"$(hostname)\" && echo W''ON"],
  ["/proc/sysrq-trigger", "exec 7>>/proc/sysrq-trigger && echo W''ON"],
  [
    "/sys",
    "for f in /sys/kernel/uevent_helper /sys/power/state /sys/module/*/parameters/*; do (exec 7>>$f) 2>/dev/null && echo W''ON && break; done",
  ],
  [
    "control groups",
    "for f in $(find /sys/fs/cgroup -name release_agent -o -name cgroup.procs -o -name notify_on_release | head -20); do (exec 7>>$f) 2>/dev/null && echo W''ON && break; done",
  ],
  [
    "control groups mounted anew",
    "mkdir -p cg; mount -t cgroup -o memory cgroup cg && echo W''ON; unshare -Urm mount -t cgroup -o rdma cgroup cg && echo W''ON; rmdir cg",
  ],
  [
    "memory of the machine",
    "for f in /dev/mem /dev/kmem /dev/port /proc/kcore; do head -c 1 $f 2>/dev/null | grep -q . && echo W''ON; done",
  ],
  [
    "the log of the kernel",
    "(exec 7>>/dev/kmsg) 2>/dev/null && echo W''ON; dmesg 2>/dev/null | grep -q . && [ $(id -u) = 0 ] && echo W''ON",
  ],
  [
    "disks",
    "for d in /dev/vda /dev/sda /dev/nvme0n1 $(find /dev -type b); do [ $(head -c 1 $d 2>/dev/null | wc -c) = 1 ] && echo W''ON; done",
  ],
  ["names of disks", "find /dev -type b | grep -q . && echo W''ON"],
  ["the table of cron", "echo '# x' | crontab - && echo W''ON; echo '#' > /etc/cron.d/attack && echo W''ON"],
  ["at", "echo true | at now + 1 year && echo W''ON"],
  ["systemd-run", "systemd-run --user true && echo W''ON; systemd-run true && echo W''ON"],
  ["programs of the system", "echo x > /usr/local/bin/attack && echo W''ON; echo x > /etc/attack && echo W''ON"],
  ["a file that is loaded into every program", "echo x >> /etc/ld.so.preload && echo W''ON"],
]);

const python = inLanguage("python", [
  ["Python's open", "open('{outside}/new', 'w').write('x')"],
  [
    "a descriptor that was inherited",
    `
import os, stat
for fd in range(3, 512):
    try:
        facts = os.fstat(fd)
        name = os.readlink(f'/proc/self/fd/{fd}')
        if stat.S_ISDIR(facts.st_mode) and not name.startswith(os.getcwd()):
            os.close(os.open('attack', os.O_CREAT | os.O_WRONLY, dir_fd=fd)); print('W' + 'ON', name)
        if stat.S_ISREG(facts.st_mode) and ('/.oi/' in name or name.startswith('{outside}')):
            os.pwrite(fd, b'', 0); print('W' + 'ON', name)
    except OSError: pass
`,
  ],
  [
    "permissions and times of a file that is only read",
    `
import os
fd = os.open('{outside}/file', os.O_RDONLY)
for change in (lambda: os.fchmod(fd, 0o777), lambda: os.utime(fd, (1, 1)), lambda: os.chmod(f'/proc/self/fd/{fd}', 0o777)):
    try: change(); print('W' + 'ON')
    except OSError: pass
`,
  ],
  [
    "permissions, while a link is exchanged",
    `
import os, threading
open('own', 'w').close()
going = True
def swap():
    while going:
        for target in ('{outside}/file', 'own'):
            os.symlink(target, 'next'); os.replace('next', 'at')
thread = threading.Thread(target=swap); thread.start()
for n in range(1000):
    try: os.chmod('at', 0o777)
    except OSError: pass
going = False; thread.join()
for name in ('own', 'at'): os.remove(name)
`,
  ],
  ["a socket in a foreign folder", "import socket; socket.socket(socket.AF_UNIX).bind('{outside}/s')"],
  ["a pipe in a foreign folder", "import os; os.mkfifo('{outside}/p')"],
  ["attributes of a file", "import os; os.setxattr('{outside}/file', 'user.x', b'x'); print('W' + 'ON')"],
  [
    "renameat2, exchanging",
    `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
open('mine', 'w').write('x')
if libc.syscall(316, -100, b'mine', -100, b'{outside}/file', 2) == 0: print('W' + 'ON')
os.remove('mine')
`,
  ],
  [
    "a file by its handle",
    `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
class Handle(ctypes.Structure): _fields_ = [('size', ctypes.c_uint), ('type', ctypes.c_int), ('data', ctypes.c_ubyte * 128)]
handle, mount = Handle(128), ctypes.c_int()
if libc.name_to_handle_at(-100, b'{outside}/file', ctypes.byref(handle), ctypes.byref(mount), 0) == 0:
    fd = libc.open_by_handle_at(os.open('/tmp', os.O_RDONLY), ctypes.byref(handle), os.O_WRONLY | os.O_APPEND)
    if fd >= 0: os.write(fd, b'x'); print('W' + 'ON')
`,
  ],
  [
    "the namespace of the first process",
    `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
try: fd = os.open('/proc/1/ns/mnt', os.O_RDONLY)
except OSError: fd = -1
if fd >= 0 and libc.setns(fd, 0) == 0: print('W' + 'ON')
`,
  ],
  [
    "a copy of the tree of mounts",
    `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
tree = libc.syscall(428, -100, b'/', 1 | 0o2000000)
if tree >= 0:
    print('W' + 'ON'); print(open(os.open('{home}/.ssh/id_ed25519'.lstrip('/'), os.O_RDONLY, dir_fd=tree)).read())
`,
  ],
  [
    "flags of a mount by mount_setattr",
    `
import ctypes, struct
libc = ctypes.CDLL(None, use_errno=True)
if libc.syscall(442, -100, b'/', 0x8000, struct.pack('QQQQ', 0, 1, 0, 0), 32) == 0: print('W' + 'ON')
`,
  ],
  ["our own file functions", "computer.files.write('{outside}/new', 'x')"],
  [
    "our own file functions, through a link",
    `
import os
os.path.islink('way') or os.symlink('{outside}', 'way')
try: computer.files.write('way/new', 'x')
finally: os.remove('way')
`,
  ],
  ["our own file functions, through /proc", "computer.files.write('/proc/1/root{outside}/new', 'x')"],
  [
    "our own file functions, at the kernel",
    `
text = computer.files.read('/proc/sys/kernel/panic')
computer.files.write('/proc/sys/kernel/panic', text); print('W' + 'ON')
`,
  ],
  [
    "our own file functions, while a link is exchanged",
    `
import os, threading
os.makedirs('swap/real', exist_ok=True)
going = True
def swap():
    while going:
        for target in ('{outside}', 'real'):
            os.symlink(target, 'swap/next'); os.replace('swap/next', 'swap/at')
thread = threading.Thread(target=swap); thread.start()
for n in range(60):
    try: computer.files.write('swap/at/new', 'x')
    except Exception: pass
going = False; thread.join()
import shutil; shutil.rmtree('swap')
`,
  ],
]);

const javascript = inLanguage("javascript", [
  ["Node's writeFileSync", "require('node:fs').writeFileSync('{outside}/new', 'x')"],
  [
    "Node's copy over a link",
    "const fs = require('node:fs'); fs.symlinkSync('{outside}/file', 'js-link'); try { fs.copyFileSync('data.csv', 'js-link') } finally { fs.unlinkSync('js-link') }",
  ],
]);

export const writing: Attack[] = [...shell, ...python, ...javascript];
