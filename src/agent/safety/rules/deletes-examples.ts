// Blocks for the rules in deletes.ts. They are read by tests and never run; the working folder is ~/work.

import type { deletes } from "./deletes.ts";
import type { ExamplesOf } from "./rule.ts";

export const deletesExamples: ExamplesOf<typeof deletes> = {
  "delete-everything": {
    finds: [
      "rm -rf /",
      "rm -rf ~",
      'rm -fr "$HOME"/*',
      "rm -r --no-preserve-root /usr",
      "cd / && rm -rf *",
      "X=/; rm -rf $X",
      "rm -rf .",
      "rm -rf ..",
      'sh -c "rm -rf ~/"',
      "find / -delete",
      "find ~ -type f -exec rm -rf {} +",
      'd() { rm -rf "$1"; }; d /etc',
      { python: "import shutil\nshutil.rmtree('/')" },
      { python: "from shutil import rmtree as r\nimport os.path as p\nr(p.expanduser('~'))" },
      { python: "import os as o\no.system('rm -rf ' + '/')" },
      { python: "import subprocess\nsubprocess.run(['rm', '-rf', '/home'])" },
      { python: "from pathlib import Path\nimport shutil\nshutil.rmtree(Path.home())" },
      { python: "def go(command):\n    import os\n    os.system(command)\n\ngo('rm -rf ~')" },
      { python: "!rm -rf /" },
      { python: "%%bash\necho start\nrm -rf ~/*" },
      { javascript: "import { rmSync as gone } from 'node:fs';\ngone('/', { recursive: true, force: true });" },
      {
        javascript:
          "const { homedir } = require('os');\nawait require('fs/promises').rm(homedir(), { recursive: true });",
      },
      { javascript: "require('child_process').execSync(`rm -rf ${process.env.HOME}`)" },
    ],
    leaves: [
      "rm -rf build",
      "echo 'rm -rf /'",
      "# rm -rf /",
      "rm -rf /tmp/scratch",
      'git commit -m "stop using rm -rf ~"',
      { python: "print('shutil.rmtree(\"/\")')" },
      { python: "'''\nrm -rf /\n'''" },
      { javascript: "// rmSync('/', { recursive: true })\nconst sentence = \"rm -rf ~\";" },
    ],
  },
  "delete-outside": {
    finds: [
      "rm ../notes.txt",
      "rm -rf ~/Documents/old",
      "rm /etc/hosts",
      "cd ~/Downloads; rm *.zip",
      { python: "import os\nos.remove('/home/ada/photo.png')" },
      { python: "from pathlib import Path\n(Path.home() / 'Documents' / 'tax.pdf').unlink()" },
      { javascript: "fs.unlinkSync('../../other/file.txt')" },
    ],
    leaves: [
      "rm old.csv",
      "rm -rf /tmp/build-123",
      'rm "$TMPDIR/out.txt"',
      { python: "import os\nos.remove('draft.txt')" },
      { javascript: "await fs.promises.rm('dist/app.js')" },
    ],
  },
  "delete-recursive": {
    finds: [
      "rm -rf node_modules dist",
      'rm -r "$folder"',
      { python: "import shutil\nshutil.rmtree('build', ignore_errors=True)" },
      { javascript: "await fs.rm('out', { recursive: true })" },
    ],
    leaves: ["rm notes.txt", "rmdir empty", "cp -r a b", { python: "import os\nos.rmdir('empty')" }],
  },
  "delete-by-pattern": {
    finds: [
      "rm *.log",
      "rm -f data/part-*",
      "ls *.bak | xargs rm",
      'for f in *.tmp; do rm "$f"; done',
      { python: "import glob, os\nfor name in glob.glob('*.csv'):\n    os.remove(name)" },
      { python: "from pathlib import Path\nfor p in Path('.').glob('*.pyc'):\n    p.unlink()" },
      { javascript: "for (const name of fs.readdirSync('cache')) fs.unlinkSync(name)" },
    ],
    leaves: ["rm one.log", "ls *.log", "rm '*.log.old'x", { python: "import glob\nprint(glob.glob('*.csv'))" }],
  },
  shred: {
    finds: ["shred -u diary.txt", "srm -r private/"],
    leaves: ["shred --help", "echo shred diary.txt"],
  },
  "overwrite-system": {
    finds: [
      "echo '127.0.0.1 bank.example' >> /etc/hosts",
      "cp tool /usr/local/bin/tool",
      "sed -i 's/a/b/' /etc/fstab",
      { python: "open('/etc/resolv.conf', 'w').write('nameserver 1.1.1.1')" },
      { javascript: "fs.writeFileSync('/usr/lib/thing.so', data)" },
    ],
    leaves: ["echo hi > /dev/null", "cat /etc/hosts", "echo x > out.txt 2>/dev/null", "cp /etc/hosts hosts.copy"],
  },
  "overwrite-dotfile": {
    finds: [
      "echo '' > ~/.gitconfig",
      "cp settings.json ~/.config/Code/User/settings.json",
      "echo KEY=1 > .env",
      { python: "from pathlib import Path\nPath('~/.condarc').expanduser().write_text('')" },
    ],
    leaves: ["cat ~/.gitconfig", "echo x > .gitignore", "touch ~/.hushlogin"],
  },
  "write-disk": {
    finds: [
      "dd if=/dev/zero of=/dev/sda bs=1M",
      "mkfs.ext4 /dev/nvme0n1p1",
      "cat image.iso > /dev/sdb",
      "wipefs -a /dev/sdc",
      { python: "open('/dev/sda', 'wb').write(b'0' * 512)" },
    ],
    leaves: ["dd if=/dev/urandom of=random.bin bs=1k count=1", "fdisk -l", "ls /dev/sda"],
  },
  "git-discard": {
    finds: [
      "git clean -fdx",
      "git reset --hard HEAD~3",
      "git checkout -- .",
      "git stash clear",
      "git branch -D feature",
    ],
    leaves: [
      "git status",
      "git reset HEAD file",
      "git clean -n",
      "git checkout main",
      "git stash",
      "git branch -d done",
    ],
  },
  "git-force-push": {
    finds: ["git push --force origin main", "git push -f", "git push origin +main", "git push origin --delete release"],
    leaves: ["git push", "git push -u origin main", "git pull --force-rebase", "git push --follow-tags"],
  },
  "sql-drop": {
    finds: [
      { sql: "DROP TABLE customers;" },
      { sql: "select 1;\ntruncate table orders;" },
      { sql: "ALTER TABLE people DROP COLUMN email" },
      'psql shop -c "DROP TABLE IF EXISTS orders"',
      "sqlite3 shop.db 'drop table orders'",
      "psql <<EOF\nDROP VIEW totals;\nEOF",
      { python: "cursor.execute('DROP TABLE ' + 'users')" },
      { javascript: "await db.query(`DROP TABLE sessions`)" },
    ],
    leaves: [
      { sql: "SELECT 'DROP TABLE x' AS words" },
      { sql: "-- DROP TABLE x\nSELECT 1" },
      { sql: "CREATE TABLE dropped (id int)" },
      { python: "frame.drop(columns=['a'])" },
    ],
  },
  "sql-drop-database": {
    finds: [{ sql: "DROP DATABASE shop" }, { sql: "drop schema public cascade" }, "dropdb shop", "redis-cli FLUSHALL"],
    leaves: [{ sql: "CREATE DATABASE shop" }, "createdb shop", "redis-cli get key"],
  },
  "sql-every-row": {
    finds: [
      { sql: "DELETE FROM orders" },
      { sql: "UPDATE people SET age = 0;" },
      { python: "con.execute('delete from logs')" },
    ],
    leaves: [
      { sql: "DELETE FROM orders WHERE id = 3" },
      { sql: "UPDATE people SET age = 0 WHERE id = 1" },
      { sql: "SELECT * FROM deleted" },
    ],
  },
  "delete-remote": {
    finds: [
      "aws s3 rm s3://bucket --recursive",
      "kubectl delete namespace production",
      "terraform destroy -auto-approve",
      { python: "import subprocess\nsubprocess.check_call(['gh', 'repo', 'delete', 'ada/notes', '--yes'])" },
    ],
    leaves: ["aws s3 ls s3://bucket", "kubectl get pods", "terraform plan"],
  },
};
