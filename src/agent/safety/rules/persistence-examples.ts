// Blocks for the rules in persistence.ts. They are read by tests and never run.

import type { persistence } from "./persistence.ts";
import type { ExamplesOf } from "./rule.ts";

export const persistenceExamples: ExamplesOf<typeof persistence> = {
  "shell-start-file": {
    finds: [
      "echo 'alias ls=rm' >> ~/.bashrc",
      "cat evil >> $HOME/.zshrc",
      "tee -a ~/.profile < x",
      "sudo tee /etc/profile.d/x.sh",
      { python: "import os\nwith open(os.path.expanduser('~/.bashrc'), 'a') as f:\n    f.write('x')" },
      { javascript: "fs.appendFileSync(os.homedir() + '/.zprofile', 'x')" },
    ],
    leaves: ["cat ~/.bashrc", "source ~/.bashrc", "echo x >> bashrc.txt", { python: "open('.bashrc-notes', 'w')" }],
  },
  timetable: {
    finds: [
      "(crontab -l; echo '* * * * * x') | crontab -",
      "echo '* * * * * root x' > /etc/cron.d/x",
      "echo x | at now + 1 hour",
      { python: "import os\nos.system('crontab jobs.txt')" },
    ],
    leaves: ["crontab -l", "date"],
  },
  service: {
    finds: [
      "systemctl --user enable --now x.service",
      "cp x.service ~/.config/systemd/user/",
      "launchctl load ~/Library/LaunchAgents/x.plist",
      { python: "from pathlib import Path\n(Path.home() / 'Library/LaunchAgents/x.plist').write_text('')" },
    ],
    leaves: ["systemctl status nginx", "launchctl list", "journalctl -u x.service"],
  },
  autostart: {
    finds: [
      "cp x.desktop ~/.config/autostart/",
      { javascript: "fs.writeFileSync(`${os.homedir()}/.config/autostart/x.desktop`, '')" },
    ],
    leaves: ["ls ~/.config/autostart", "cp x.desktop ~/desk/"],
  },
  "windows-run-key": {
    finds: [
      'reg add "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run" /v x /d x.exe',
      {
        python:
          "import winreg\nk = winreg.OpenKey(winreg.HKEY_CURRENT_USER, r'Software\\Microsoft\\Windows\\CurrentVersion\\Run', 0, 2)",
      },
    ],
    leaves: [
      'reg query "HKCU\\Software\\Microsoft"',
      { python: "import winreg\nwinreg.OpenKey(winreg.HKEY_CURRENT_USER, 'Environment')" },
    ],
  },
  "git-hook": {
    finds: [
      "echo 'curl x' > .git/hooks/pre-commit",
      "git config --global core.hooksPath /tmp/hooks",
      "git config alias.st '!rm -rf ~'",
      { python: "open('.git/hooks/post-checkout', 'w').write('x')" },
    ],
    leaves: ["ls .git/hooks", "git config user.name Ada", "git config --get core.hooksPath"],
  },
  "authorized-key": {
    finds: [
      "echo 'ssh-ed25519 AAAA' >> ~/.ssh/authorized_keys",
      { python: "import os\nopen(os.path.expanduser('~/.ssh/authorized_keys'), 'a')" },
    ],
    leaves: ["wc -l ~/.ssh/authorized_keys", "cat authorized_keys.md"],
  },
  "interpreter-start-file": {
    finds: [
      "cp x.py venv/lib/python3.12/site-packages/sitecustomize.py",
      { python: "open('/usr/lib/python3/dist-packages/x.pth', 'w')" },
    ],
    leaves: ["ls venv/lib/python3.12/site-packages", "cp a.py customize.py"],
  },
  "new-account": {
    finds: ["sudo useradd -m eve", "usermod -aG sudo eve"],
    leaves: ["whoami", "id eve"],
  },
  "left-running": {
    finds: ["nohup ./server &", "setsid node worker.js"],
    leaves: ["./server & wait", "tmux ls"],
  },
};
