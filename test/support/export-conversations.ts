// Conversations as they happen: with dead ends, second thoughts, several languages, files and plots. For the tests of exports.

import { run, type Script, say } from "./scripted-model.ts";

type Answer = Extract<Script, readonly unknown[]>[number];

export interface HeldConversation {
  name: string;
  /** Files that are there before it begins. */
  files?: Record<string, string>;
  turns: { said: string; replies: Answer[] }[];
  /** Texts that the clean export has to have, and that it must not have. */
  keeps: string[];
  drops: string[];
  /** Files that have to be there after the export ran elsewhere. */
  makes?: string[];
  /** What has to be printed again. */
  prints?: string[];
  /** How the script ends; .py unless it says something else. */
  extension?: string;
  /** How many results are compared. */
  results: number;
}

const turn = (said: string, ...replies: Answer[]) => ({ said, replies: [...replies, say(`Done: ${said}`)] });

const sales = "city,month,amount\nOslo,1,10.5\nOslo,2,12\nRome,1,7\nRome,2,\nBern,1,3\nBern,2,4\n";

export const heldConversations: HeldConversation[] = [
  {
    name: "dead ends before the right way",
    turns: [
      turn(
        "how many primes are below 1000?",
        run("python", "import sympy_that_is_not_there\nprint('never')"),
        run("python", "count = 0\nfor n in range(2, 1000)\n    count += 1"),
        run("python", "def is_prime(n):\n    return all(n % d for d in range(2, n))\nprint(len(primes))"),
        run("python", "def is_prime(n):\n    return n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1))"),
        run("python", "primes = [n for n in range(1000) if is_prime(n)]\nlen(primes)"),
      ),
    ],
    keeps: ["int(n ** 0.5)", "primes = ["],
    drops: ["sympy_that_is_not_there", "range(2, n))", "count += 1"],
    prints: ["168"],
    results: 1,
  },
  {
    name: "redefinitions and looks on the way",
    turns: [
      turn(
        "add them up",
        run("python", "numbers = [1, 2, 3]\nfactor = 10"),
        run("python", "print('looking', numbers)"),
        run("python", "def scaled(values):\n    return [value * factor for value in values]"),
        run("python", "numbers = [4, 5, 6]"),
        run("python", "numbers"),
        run("python", "factor = 100"),
        run("python", "total = sum(scaled(numbers))\nprint('total', total)"),
      ),
    ],
    keeps: ["[4, 5, 6]", "factor = 100", "def scaled"],
    drops: ["[1, 2, 3]", "looking"],
    prints: ["total 1500"],
    results: 1,
  },
  {
    name: "a block that failed half way and left what others use",
    files: { "sales.csv": sales },
    turns: [
      turn(
        "which city sold most?",
        run("python", "import pandas as pd\nsales = pd.read_csv('sales.csv')\nsales.groupby('town').amount.sum()"),
        run("python", "sales.head()"),
        run(
          "python",
          "by_city = sales.groupby('city').amount.sum().sort_values(ascending=False)\nprint(by_city.index[0])",
        ),
      ),
    ],
    keeps: ["pd.read_csv('sales.csv')", "by_city"],
    drops: ["'town'", "sales.head()"],
    prints: ["Oslo"],
    results: 1,
  },
  {
    name: "files read and written",
    files: { "data/sales.csv": sales, "notes.txt": "not needed\n" },
    turns: [
      turn(
        "summarise the sales into files",
        run("shell", "ls data; head -2 data/sales.csv"),
        run(
          "python",
          "from pathlib import Path\nimport pandas as pd\nfolder = Path('data')\nsales = pd.read_csv(folder / 'sales.csv')",
        ),
        run("python", "sales.to_csv('first-try.csv')\nimport os\nos.remove('first-try.csv')"),
        run("python", "sales['amount'] = sales['amount'].fillna(0)"),
        run(
          "python",
          "Path('out').mkdir(exist_ok=True)\nsummary = sales.groupby('city', as_index=False).amount.mean()\nsummary.to_csv('out/summary.csv', index=False)",
        ),
        run(
          "python",
          "import json\nwith open('out/report.json', 'w') as file:\n    json.dump(summary.set_index('city').amount.to_dict(), file, indent=2)",
        ),
        run("python", "print(open('out/report.json').read())"),
      ),
    ],
    keeps: ["fillna(0)", "out/summary.csv", "json.dump"],
    drops: ["head -2"],
    makes: ["out/summary.csv", "out/report.json"],
    prints: ['"Oslo": 11.25'],
    results: 3,
  },
  {
    name: "plots, the first of which was not good enough",
    files: { "sales.csv": sales },
    turns: [
      turn(
        "plot the sales",
        run(
          "python",
          "import pandas as pd\nimport matplotlib.pyplot as plt\nsales = pd.read_csv('sales.csv').dropna()\nsales.info()",
        ),
        run("python", "fig, ax = plt.subplots(figsize=(4, 3))\nax.bar(sales.city, sales.amount)\nplt.show()"),
      ),
      turn(
        "with a title, and as a file",
        run(
          "python",
          "fig, ax = plt.subplots(figsize=(4, 3))\nax.bar(sales.city, sales.amount)\nax.set_title('Sales')\nfig.savefig('sales.png')\nplt.show()",
        ),
      ),
      turn(
        "and how they are spread",
        run("python", "plt.figure(figsize=(3, 2))\nplt.hist(sales.amount, bins=3)\nplt.title('Spread')\nplt.show()"),
      ),
    ],
    keeps: ["set_title('Sales')", "plt.hist"],
    drops: [],
    makes: ["sales.png"],
    results: 4,
  },
  {
    name: "several languages that hand files to one another",
    turns: [
      turn(
        "count the words with whatever is best",
        run("shell", "printf 'b a\\na c a\\n' > words.txt"),
        run("shell", "cat words.txt | wc -w"),
        run(
          "python",
          "import json\nfrom collections import Counter\ncounts = Counter(open('words.txt').read().split())\njson.dump(counts, open('counts.json', 'w'))",
        ),
        run("javascript", "const wrong = missingThing + 1;"),
        run(
          "javascript",
          "const fs = require('fs');\nconst counts = JSON.parse(fs.readFileSync('counts.json', 'utf8'));",
        ),
        run("javascript", "Object.entries(counts).sort((x, y) => y[1] - x[1])[0].join(':')"),
      ),
    ],
    keeps: ["words.txt", "Counter(", "JSON.parse"],
    drops: ["missingThing", "wc -w"],
    makes: ["words.txt", "counts.json"],
    prints: ["a:3"],
    results: 3,
  },
  {
    name: "changes in place, over several blocks",
    turns: [
      turn(
        "collect and count",
        run("python", "items = []\nseen = {}"),
        run("python", "items.append('pear')\nitems.extend(['fig', 'pear'])"),
        run("python", "print(len(items))"),
        run("python", "def note(store, name):\n    store[name] = store.get(name, 0) + 1"),
        run("python", "for item in items:\n    note(seen, item)"),
        run("python", "other = [9]\nother.append(10)"),
        run("python", "items.sort()\nprint(items, seen)"),
      ),
    ],
    keeps: ["items.extend", "note(seen, item)", "seen = {}"],
    drops: ["other", "print(len(items))"],
    prints: ["['fig', 'pear', 'pear'] {'pear': 2, 'fig': 1}"],
    results: 1,
  },
  {
    name: "objects with a state, and functions that look names up later",
    turns: [
      turn(
        "simulate an account",
        run(
          "python",
          "RATE = 0.5\nclass Account:\n    def __init__(self):\n        self.balance = 100\n    def grow(self):\n        self.balance += self.balance * RATE\n        return self.balance",
        ),
        run("python", "account = Account()"),
        run("python", "after = account.grow()"),
        run("python", "RATE = 0.1"),
        run("python", "account.balance"),
        run("python", "after = account.grow()\nprint(f'{after:.2f}')"),
      ),
    ],
    keeps: ["class Account", "RATE = 0.1", "account = Account()"],
    drops: ["account.balance\n"],
    prints: ["165.00"],
    results: 1,
  },
  {
    name: "random numbers, of which some were drawn for a look",
    turns: [
      turn(
        "draw a sample",
        run("python", "import numpy as np\nimport random\nnp.random.seed(7)\nrandom.seed(7)"),
        run("python", "print(np.random.rand(3))"),
        run("python", "rng = np.random.default_rng(3)\nfirst = rng.normal(size=4)"),
        run("python", "sample = np.random.normal(size=5) + rng.normal()\nprint(sample.round(6), random.choice('abc'))"),
      ),
    ],
    keeps: ["np.random.seed(7)", "np.random.rand(3)", "first = rng.normal"],
    drops: [],
    results: 2,
  },
  {
    name: "a database, made and asked",
    turns: [
      turn(
        "keep the scores in a database",
        run(
          "python",
          "import sqlite3\nconnection = sqlite3.connect('scores.db')\nconnection.execute('create table scores (name text, points int)')",
        ),
        run(
          "python",
          "connection.executemany('insert into scores values (?, ?)', [('Ada', 3), ('Bo', 5)])\nconnection.commit()",
        ),
        run("python", "connection.execute('select * from nothing')"),
        run(
          "python",
          "rows = connection.execute('select name, points from scores order by points desc').fetchall()\nrows",
        ),
      ),
    ],
    keeps: ["create table", "executemany", "order by points"],
    drops: ["from nothing"],
    makes: ["scores.db"],
    prints: ["('Bo', 5), ('Ada', 3)"],
    results: 3,
  },
  {
    name: "imports in many places, one name with two meanings",
    turns: [
      turn(
        "when is it?",
        run("python", "import os, sys\nfrom datetime import datetime\nday = datetime(2024, 2, 28)"),
        run("python", "import datetime\nnext_day = day + datetime.timedelta(days=2)"),
        run(
          "python",
          "from math import (\n    pi,\n    sqrt,\n)\nimport math\nprint(next_day.date(), round(sqrt(pi), 4), math.floor(2.5))",
        ),
      ),
    ],
    keeps: ["import math", "sqrt,"],
    drops: [],
    prints: ["2024-03-01 1.7725 2"],
    results: 1,
  },
  {
    name: "several questions, each with its answer",
    files: { "sales.csv": sales },
    turns: [
      turn("load it", run("python", "import pandas as pd\nsales = pd.read_csv('sales.csv')\nsales.head()")),
      turn(
        "what is the mean?",
        run("python", "sales.describe()"),
        run("python", "mean = sales.amount.mean()\nprint('mean', mean)"),
      ),
      turn(
        "and for Rome?",
        run("python", "rome = sales[sales.city == 'Rome']\nprint(rome)"),
        run("python", "rome.amount.sum()"),
      ),
    ],
    keeps: ["mean = sales", "rome.amount.sum()"],
    drops: ["describe"],
    prints: ["mean 7.3", "7.0"],
    results: 4,
  },
  {
    name: "lines that only notebooks know, and a module of one's own",
    turns: [
      turn(
        "write a module and use it",
        run("python", "%%writefile shapes.py\ndef area(w, h):\n    return w * h\n"),
        run("python", "%time wide = 6"),
        run("python", "import shapes\nprint('area', shapes.area(wide, 7))"),
      ),
    ],
    keeps: ["def area", "wide = 6", "import shapes"],
    drops: [],
    makes: ["shapes.py"],
    prints: ["area 42"],
    results: 4,
  },
  {
    name: "nothing but shell",
    turns: [
      turn(
        "sort it",
        run("shell", "mkdir -p work && cd work && printf '3\\n1\\n2\\n' > in.txt"),
        run("shell", "cat missing.txt"),
        run("shell", "sort in.txt > out.txt"),
        run("shell", "cat out.txt"),
      ),
    ],
    keeps: ["sort in.txt"],
    drops: ["missing.txt"],
    prints: ["1\n2\n3"],
    extension: ".sh",
    results: 1,
  },
  {
    name: "nothing but JavaScript, declared twice",
    turns: [
      turn(
        "add up",
        run("javascript", "const values = [1, 2];"),
        run("javascript", "const values = [3, 4];\nlet sum = 0;"),
        run("javascript", "console.log('looking', values);"),
        run("javascript", "for (const value of values) sum += value;\nsum"),
      ),
    ],
    keeps: ["[3, 4]"],
    drops: ["[1, 2]", "looking"],
    prints: ["7"],
    extension: ".cjs",
    results: 1,
  },
];
