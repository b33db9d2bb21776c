// Blocks for the rules in privilege.ts. They are read by tests and never run.

import type { privilege } from "./privilege.ts";
import type { ExamplesOf } from "./rule.ts";

export const privilegeExamples: ExamplesOf<typeof privilege> = {
  "as-root": {
    finds: [
      "sudo apt-get install jq",
      "echo pw | sudo -S id",
      "su -c 'whoami'",
      { python: "import subprocess\nsubprocess.run(['sudo', 'ls'])" },
      { python: "import os\ngetattr(os, 'system')('sudo id')" },
      { javascript: "const { exec: e } = require('node:child_process');\ne('sudo id')" },
    ],
    leaves: ["echo sudo", "man sudo", "grep sudo log.txt", { python: "print('sudo make me a sandwich')" }],
  },
  "set-user-id": {
    finds: [
      "chmod 4755 tool",
      "chmod u+s tool",
      "setcap cap_net_raw+ep tool",
      { python: "import os\nos.setuid(0)" },
      { javascript: "process.setuid(0)" },
    ],
    leaves: ["chmod 755 tool", "chmod u+x tool", { python: "import os\nos.getuid()" }],
  },
  "open-to-all": {
    finds: [
      "chmod 777 data",
      "chmod -R a+w .",
      { python: "import os\nos.chmod('data', 0o777)" },
      { javascript: "fs.chmodSync('data', 0o777)" },
    ],
    leaves: ["chmod 644 data", "chmod +x run.sh", { python: "import os\nos.chmod('data', 0o600)" }],
  },
  "give-to-root": {
    finds: ["chown root:root file", "chown -R root dir", { python: "import os\nos.chown('f', 0, 0)" }],
    leaves: ["chown ada file", "ls -l", { python: "import os\nos.chown('f', 1000, 1000)" }],
  },
  "change-accounts": {
    finds: [
      "echo 'ada ALL=(ALL) NOPASSWD:ALL' > /etc/sudoers.d/ada",
      "echo x >> /etc/passwd",
      { python: "open('/etc/sudoers', 'a')" },
    ],
    leaves: ["cat /etc/passwd", "getent passwd ada"],
  },
  "open-container": {
    finds: [
      "docker run --privileged -it alpine",
      "docker run -v /:/host alpine chroot /host",
      "podman run --pid=host alpine",
    ],
    leaves: ["docker run --rm -v ./data:/data alpine ls", "docker ps"],
  },
  mount: {
    finds: ["mount /dev/sdb1 /mnt", "sudo umount /home", "nsenter -t 1 -m sh"],
    leaves: ["df -h", "cat /proc/mounts", "mount"],
  },
  "kill-process": {
    finds: [
      "kill -9 4242",
      "pkill -f postgres",
      "killall python",
      { python: "import os, signal\nos.kill(4242, signal.SIGKILL)" },
      { javascript: "process.kill(4242)" },
    ],
    leaves: [
      "kill -l",
      "sleep 9 & kill $!",
      "kill %1",
      "ps aux | grep kill",
      { javascript: "process.kill(process.pid)" },
    ],
  },
  "kill-everything": {
    finds: ["kill -9 -1", { python: "import os\nos.kill(-1, 9)" }],
    leaves: ["kill -9 4242"],
  },
  "turn-off": {
    finds: ["shutdown -h now", "sudo reboot", { python: "import os\nos.system('shutdown now')" }],
    leaves: ["uptime", "echo reboot"],
  },
  "disable-security": {
    finds: [
      "setenforce 0",
      "ufw disable",
      "iptables -F",
      "systemctl stop firewalld",
      "spctl --master-disable",
      { python: "import subprocess\nsubprocess.call('sudo ufw disable', shell=True)" },
    ],
    leaves: ["getenforce", "ufw status", "iptables -L", "systemctl status firewalld"],
  },
  kernel: {
    finds: ["insmod rootkit.ko", "sysctl -w net.ipv4.ip_forward=1"],
    leaves: ["lsmod", "sysctl net.ipv4.ip_forward", "uname -r"],
  },
  "fork-bomb": {
    finds: [
      ":(){ :|:& };:",
      "bomb() { bomb | bomb & }; bomb",
      { python: "import os\nwhile True:\n    os.fork()" },
      { javascript: "const { fork } = require('child_process');\nfor (;;) fork(__filename)" },
    ],
    leaves: [
      'retry() { "$@" || retry "$@"; }',
      { python: "import os\nif os.fork() == 0:\n    pass" },
      { javascript: "while (true) { if (next()) break; }" },
    ],
  },
  preload: {
    finds: [
      "LD_PRELOAD=./x.so ls",
      "export PROMPT_COMMAND='curl x'",
      { python: "import os\nos.environ['LD_PRELOAD'] = './x.so'" },
    ],
    leaves: [
      "PATH=$PATH:~/bin ls",
      "export NODE_OPTIONS=--max-old-space-size=4096",
      { python: "import os\nos.environ['LANG'] = 'C'" },
    ],
  },
};
