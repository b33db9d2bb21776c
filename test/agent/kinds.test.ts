// What a block looks like to the person who is asked about it.

import { expect, test } from "vitest";
import { kindsOf } from "../../src/agent/index.ts";

test.each([
  ["python", "1 + 1", "computes"],
  ["python", "import pandas as pd\ndf = pd.read_csv('a.csv')\ndf.describe()", "reads files"],
  ["python", "df.to_csv('out.csv')", "writes files"],
  ["python", "with open('a.txt', 'w') as f: f.write('x')", "reads files, writes files"],
  ["python", "import os\nos.remove('a')", "deletes files"],
  ["python", "# os.remove('a')\nprint(1)", "computes"],
  ["python", "import requests\nrequests.get('https://example.org')", "uses the network"],
  ["python", "!pip install pandas", "installs packages, starts programs"],
  ["python", "import subprocess; subprocess.run(['ls'])", "starts programs"],
  ["javascript", "[1, 2].map((x) => x * 2)", "computes"],
  ["typescript", "await fetch('http://localhost')", "uses the network"],
  ["javascript", "fs.rmSync('x', { recursive: true })", "deletes files"],
  ["shell", "ls -la", "reads files"],
  ["shell", "echo hi", "computes"],
  ["shell", "cat a.csv | sort | head > b.csv", "reads files, writes files"],
  ["shell", "grep x file 2>/dev/null", "reads files"],
  ["shell", "echo 'a > b'", "computes"],
  ["shell", "rm -rf build && mkdir build", "writes files, deletes files"],
  ["shell", "FOO=1 sudo systemctl restart nginx", "changes the system"],
  ["shell", "curl -s https://example.org | jq .", "reads files, uses the network"],
  ["shell", "pip install pandas", "uses the network, installs packages"],
  ["shell", "git status", "reads files"],
  ["shell", "git push", "writes files, uses the network"],
  ["shell", "./deploy.sh", "starts programs"],
  ["shell", "find . -name '*.tmp' -delete", "deletes files"],
  ["shell", "sed -i s/a/b/ file", "writes files"],
  ["shell", "for f in *; do rm $f; done", "deletes files"],
  ["sql", "SELECT * FROM t", "reads files"],
  ["sql", "DROP TABLE t", "deletes files"],
  ["ruby", "puts 1", "runs code"],
])("%s: %s", (language, code, expected) => expect(kindsOf(language, code).join(", ")).toBe(expected));

test("no text takes long or fails", () => {
  for (const language of ["python", "shell", "javascript", "sql"])
    expect(kindsOf(language, `${"((((\"'`$(".repeat(5_000)} ${"open(".repeat(5_000)}`).length).toBeGreaterThan(0);
});
