// What only a notebook understands becomes Python, line for line; everything else stays as it is.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testPython } from "../support/session.ts";

const source = join(import.meta.dirname, "../../src/languages/python/python-rewrite.py");
const load = `
import ast, glob, json, sys, sysconfig, types
rewrite = types.ModuleType("rewrite")
rewrite.driver = types.SimpleNamespace(namespace={"cd": 1}, parse=lambda code, name: compile(code, name, "exec", ast.PyCF_ONLY_AST))
exec(compile(open(${JSON.stringify(source)}).read(), "rewrite", "exec"), rewrite.__dict__)
def compiles(code):
    try: compile(code, "block", "exec")
    except SyntaxError: return False
    return True
`;

interface Rewritten {
  code: string;
  touched: Record<string, number[]>;
  compiles: boolean;
}

function inPython<T>(program: string, input: unknown): T {
  const output = execFileSync(testPython, ["-W", "ignore", "-c", load + program], { input: JSON.stringify(input) });
  return JSON.parse(output.toString()) as T;
}

function rewrite(codes: string[]): Rewritten[] {
  return inPython<Rewritten[]>(
    `
out = []
for code in json.load(sys.stdin):
    made, touched = rewrite.rewrite(code)
    out.append({"code": made, "touched": touched, "compiles": compiles(made)})
print(json.dumps(out))
`,
    codes,
  );
}

test("not a character of Python's own library is touched", () => {
  const { read, touched } = inPython<{ read: number; touched: string[] }>(
    `
read, touched = 0, []
for path in sorted(glob.glob(sysconfig.get_path("stdlib") + "/*.py")):
    code = open(path, encoding="utf-8").read()
    read += 1
    if rewrite.rewrite(code) != (code, {}): touched.append(path)
print(json.dumps({"read": read, "touched": touched}))
`,
    null,
  );
  expect(touched).toEqual([]);
  expect(read).toBeGreaterThan(100);
});

const plain = [
  "x = 5",
  "text = '''\n%timeit inside\n!ls\nwhat?\n'''",
  'text = f"""a {x}\n%%bash\n"""',
  "y = (x\n%3)",
  "y = x \\\n  % 3",
  "print('a = %s' % x, \"!b\", 'c?')",
  "# %timeit in a comment, isn't it?",
  "d = {'a': 1,  # don't\n     'b': \"it's\"}",
  "def f(a):\n    '''Why?'''\n    return a % 2",
  "if x:\n    pass\nelse:\n    y = 1",
  'r = r\'\\\\\' + "\\""',
  "s = 'one\\\n!two'",
  "",
];
const magics = [
  "%timeit x % 2",
  "!echo 'a' \"b\" (c",
  "lines = !ls | wc -l",
  "here = %pwd",
  "x?",
  "?x",
  "x.real??  # why",
  "%cd ..",
  "!!date",
  "!echo one \\\n  two",
  "pip install things",
];

test("magics are found between any statements, and only they change", () => {
  const piece = fc.oneof(
    fc.constantFrom(...plain).map((text) => ({ text, magic: false })),
    fc.constantFrom(...magics).map((text) => ({ text, magic: true })),
    fc.constantFrom(...magics).map((text) => ({ text: `for i in y:\n    ${text}`, magic: true })),
  );
  const samples = fc.sample(fc.array(piece, { minLength: 1, maxLength: 12 }), { numRuns: 600, seed: 3 });
  const made = rewrite(samples.map((pieces) => pieces.map(({ text }) => text).join("\n")));
  for (const [index, { code, touched, compiles }] of made.entries()) {
    const before = samples[index]!.map(({ text }) => text).join("\n");
    expect(compiles, `${before}\n--- became\n${code}`).toBe(true);
    const [lines, linesBefore] = [code.split("\n"), before.split("\n")];
    expect(lines).toHaveLength(linesBefore.length);
    expect(Object.keys(touched)).toHaveLength(samples[index]!.filter(({ magic }) => magic).length);
    const changed = new Set(Object.values(touched).flatMap(([from, , to]) => [from!, to!]));
    for (const [at, line] of lines.entries()) if (!changed.has(at + 1)) expect(line).toBe(linesBefore[at]);
  }
});

test.each([
  [
    "a cell magic takes the rest of the block",
    "%%bash -x\nls\n'",
    "__magic__('cell', 'bash', '-x', \"ls\\n'\", 2)\n\n",
  ],
  ["also after other lines", "x = 1\n%%bash\nls", "x = 1\n__magic__('cell', 'bash', '', 'ls', 3)\n"],
  ["a name that the session has is no magic", "cd x\n!ls", "cd x\n__magic__('system', 'ls')"],
  ["help on a magic", "%time?", "__magic__('help', '%time', False)"],
  ["help by pattern", "str.*find*?", "__magic__('help', 'str.*find*', False)"],
  ["a question that is none is left alone", "f(1)?", "f(1)?"],
  ["a string that does not end is left alone", "x = '''\n%pwd\n", "x = '''\n%pwd\n"],
  ["an open bracket is left alone", "x = [\n%pwd\n", "x = [\n%pwd\n"],
])("%s", (_, before, after) => {
  expect(rewrite([before])[0]!.code).toBe(after);
});
