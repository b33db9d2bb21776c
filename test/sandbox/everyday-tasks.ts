// What people ask for every day, and what is said when it worked.

export interface Task {
  name: string;
  language: string;
  code: string;
  says: string | RegExp;
  /** Files that are in the real workspace afterwards. */
  makes?: string[];
  /** Programs, or modules of Python, that it takes. */
  needs?: string[];
  modules?: string[];
}

const py = (name: string, code: string, says: string | RegExp, more: Partial<Task> = {}): Task => ({
  name,
  language: "python",
  code,
  says,
  ...more,
});
const sh = (name: string, code: string, says: string | RegExp, more: Partial<Task> = {}): Task => ({
  name,
  language: "shell",
  code,
  says,
  ...more,
});

export const tasks: readonly Task[] = [
  py(
    "pandas reads and writes",
    "import pandas as pd\nd = pd.read_csv('data.csv'); d['amount'] *= 2; d.to_csv('twice.csv', index=False); print(d.amount.sum())",
    "14",
    { makes: ["twice.csv"], modules: ["pandas"] },
  ),
  py("a spreadsheet", "d.to_excel('sheet.xlsx'); print(len(pd.read_excel('sheet.xlsx')))", "2", {
    makes: ["sheet.xlsx"],
    modules: ["pandas", "openpyxl"],
  }),
  py(
    "a figure is saved",
    "import matplotlib; matplotlib.use('Agg')\nimport matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.savefig('figure.png'); plt.close(); print('drawn')",
    "drawn",
    { makes: ["figure.png"], modules: ["matplotlib"] },
  ),
  py("numpy", "import numpy as np\nnp.save('a.npy', np.arange(9)); print(np.load('a.npy').sum())", "36", {
    makes: ["a.npy"],
    modules: ["numpy"],
  }),
  py(
    "a picture",
    "from PIL import Image\nImage.new('RGB', (9, 9)).save('p.png'); print(Image.open('p.png').size)",
    "(9, 9)",
    { makes: ["p.png"], modules: ["PIL"] },
  ),
  py(
    "a database in a file",
    "import sqlite3\nc = sqlite3.connect('base.db'); c.execute('create table t (a)'); c.execute('insert into t values (7)'); c.commit(); print(c.execute('select a from t').fetchall()); c.close()",
    "[(7,)]",
    { makes: ["base.db"] },
  ),
  py(
    "json",
    "import json\njson.dump({'a': [1]}, open('a.json', 'w')); print(json.load(open('a.json')))",
    "{'a': [1]}",
    { makes: ["a.json"] },
  ),
  py(
    "temporary files",
    "import tempfile\nwith tempfile.NamedTemporaryFile('w+') as f: f.write('for now'); f.seek(0); print(f.read())",
    "for now",
  ),
  py(
    "many processes",
    "import multiprocessing as mp\nwith mp.get_context('fork').Pool(2) as p: print(p.map(abs, [-1, -2]))",
    "[1, 2]",
  ),
  py(
    "shared memory",
    "from multiprocessing import shared_memory\nm = shared_memory.SharedMemory(create=True, size=10); m.buf[0] = 7; print(m.buf[0]); m.close(); m.unlink()",
    "7",
  ),
  py(
    "threads",
    "import threading\nt = threading.Thread(target=lambda: print('from a thread')); t.start(); t.join()",
    "from a thread",
  ),
  py(
    "asyncio",
    "import asyncio\nasync def f(): await asyncio.sleep(0.01); return 'awaited'\nprint(await f())",
    "awaited",
  ),
  py(
    "a server for a test, and who asks it",
    "import http.server, threading, urllib.request\ns = http.server.ThreadingHTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)\nthreading.Thread(target=s.serve_forever, daemon=True).start()\nprint(urllib.request.urlopen(f'http://127.0.0.1:{s.server_port}/data.csv').read())\ns.shutdown()",
    "Ada",
  ),
  py(
    "programs and their output",
    "import subprocess\nprint(subprocess.run('sort -r data.csv | head -1', shell=True, capture_output=True, text=True).stdout)",
    "name,amount",
  ),
  py(
    "a large file",
    "f = open('large', 'wb'); f.truncate(3_000_000_000); f.seek(2_999_999_999); f.write(b'x'); f.close(); import os; print(os.path.getsize('large')); os.remove('large')",
    "3000000000",
  ),
  py(
    "names in other letters",
    "open('Übersicht — 表.txt', 'w').write('ja'); print(open('Übersicht — 表.txt').read())",
    "ja",
    { makes: ["Übersicht — 表.txt"] },
  ),
  py(
    "a figure is shown",
    "import matplotlib.pyplot as plt\nplt.figure(); plt.plot([1, 2]); plt.show(); print('shown')",
    "shown",
    { modules: ["matplotlib"] },
  ),
  py(
    "our own file functions",
    "computer.files.write('made.txt', 'by us'); print(computer.files.read('made.txt'))",
    "by us",
    { makes: ["made.txt"] },
  ),
  sh(
    "a virtual environment with a package of the project",
    `python3 -m venv env && mkdir -p lib/here && echo 'print("imported")' > lib/here/__init__.py && printf '[build-system]\\nrequires=[]\\nbuild-backend="backend"\\nbackend-path=["."]\\n' > lib/pyproject.toml && cat > lib/backend.py <<'END'
import zipfile
def build_wheel(folder, settings=None, metadata=None):
    with zipfile.ZipFile(folder + '/here-1-py3-none-any.whl', 'w') as z:
        z.write('here/__init__.py')
        z.writestr('here-1.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: here\\nVersion: 1\\n')
        z.writestr('here-1.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: us\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
        z.writestr('here-1.dist-info/RECORD', '')
    return 'here-1-py3-none-any.whl'
END
env/bin/pip install -q --no-index ./lib 2>&1 | tail -3; env/bin/python -c 'import here'`,
    "imported",
  ),
  sh(
    "npm, with a package of the project",
    `mkdir -p app part && cd part && npm init -y >/dev/null && echo 'module.exports = "from a package"' > index.js && cd ../app && npm init -y >/dev/null && npm install --no-audit --no-fund ../part >/dev/null && node -p 'require("part")'; cd ..`,
    "from a package",
    { makes: ["app/package.json"], needs: ["npm"] },
  ),
  sh(
    "git, from beginning to branch",
    `git init -q r && cd r && git config user.name Ada && git config user.email a@b.c && echo 1 > f && git add f && git commit -qm first && git checkout -qb other && echo 2 > f && git stash -q && git stash pop -q && git commit -qam second && git log --oneline | wc -l; cd ..`,
    "2",
    { makes: ["r/.git/HEAD"], needs: ["git"] },
  ),
  sh("archives", "tar czf a.tgz data.csv && mkdir -p x && tar xzf a.tgz -C x && cat x/data.csv", "Bob", {
    makes: ["a.tgz"],
  }),
  sh("zip", "zip -q a.zip data.csv && unzip -p a.zip", "Bob", { makes: ["a.zip"], needs: ["zip", "unzip"] }),
  sh("make", "printf 'all:\\n\\t@echo made\\n' > Makefile && make", "made", { needs: ["make"] }),
  sh(
    "compiling",
    `printf '#include <stdio.h>\\nint main(void) { puts("compiled"); }' > m.c && gcc m.c -o m && ./m`,
    "compiled",
    { makes: ["m"], needs: ["gcc"] },
  ),
  sh("sed and awk", "sed 's/Ada/Eve/' data.csv | awk -F, 'NR > 1 { s += $2 } END { print s }'", "7"),
  sh("a job in the background", "(sleep 0.2; echo done > later.txt) & wait; cat later.txt", "done", {
    makes: ["later.txt"],
  }),
  sh("links", "ln -sf data.csv link && cat link && ln data.csv hard && cat hard", "Ada", { makes: ["hard"] }),
  sh(
    "what system it is",
    "cat /etc/os-release && uname && date && locale 2>/dev/null | head -1; nproc; df -h . | tail -1; free 2>/dev/null | head -1",
    "Linux",
  ),
  sh("reading the home folder", "cat ~/notes.txt", "what was noted"),
  sh(
    "writing what may be thrown away",
    "mkdir -p ~/.cache/x && echo cached > ~/.cache/x/y && cat ~/.cache/x/y",
    "cached",
  ),
  sh("permissions", "echo x > e && chmod 750 e && stat -c %a e", "750", { makes: ["e"] }),
  sh("a terminal of its own", "script -qec 'test -t 1 && echo a terminal' /dev/null", "a terminal", {
    needs: ["script"],
  }),
  sh(
    "random numbers and nothing",
    "head -c 4 /dev/urandom | wc -c; echo x > /dev/null; : < /dev/zero; echo <(true)",
    "/dev/fd/",
  ),
  {
    name: "Node",
    language: "javascript",
    code: "const fs = require('node:fs'); fs.writeFileSync('js.txt', 'written'); console.log(fs.readFileSync('js.txt', 'utf8'))",
    says: "written",
    makes: ["js.txt"],
  },
  {
    name: "a server in Node",
    language: "javascript",
    code: "const s = require('node:http').createServer((q, a) => a.end('served')); await new Promise((r) => s.listen(0, '127.0.0.1', r)); console.log(await (await fetch(`http://127.0.0.1:${s.address().port}/`)).text()); s.close()",
    says: "served",
  },
  {
    name: "Ruby",
    language: "ruby",
    code: "File.write('rb.txt', 'ruby'); puts File.read('rb.txt')",
    says: "ruby",
    makes: ["rb.txt"],
    needs: ["ruby"],
  },
  {
    name: "Perl",
    language: "perl",
    code: "open(my $f, '>', 'pl.txt'); print $f 'perl'; close $f; print 6 * 7;",
    says: "42",
    makes: ["pl.txt"],
    needs: ["perl"],
  },
  {
    name: "PHP",
    language: "php",
    code: "file_put_contents('php.txt', 'php'); echo file_get_contents('php.txt');",
    says: "php",
    makes: ["php.txt"],
    needs: ["php"],
  },
  { name: "Lua", language: "lua", code: "print(6 * 7)", says: "42", needs: ["lua"] },
  { name: "R", language: "r", code: "d <- read.csv('data.csv'); print(sum(d$amount))", says: "7", needs: ["R"] },
  {
    name: "SQL over files",
    language: "sql",
    code: "select sum(amount) as total from 'data.csv'",
    says: "7",
    modules: ["duckdb"],
  },
  { name: "a page", language: "html", code: "<h1>A page</h1>", says: /page|html|image|iVBOR/i, needs: ["chromium"] },
];
