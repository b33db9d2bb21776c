// The languages that run a driver of ours, each against its real interpreter where that is installed.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findProgram } from "../../src/languages/find-program.ts";
import type { Language } from "../../src/languages/index.ts";
import { java } from "../../src/languages/java/index.ts";
import { julia } from "../../src/languages/julia/index.ts";
import { lua } from "../../src/languages/lua/index.ts";
import { keepLocals } from "../../src/languages/lua/keep-locals.ts";
import { perl } from "../../src/languages/perl/index.ts";
import { php } from "../../src/languages/php/index.ts";
import { r } from "../../src/languages/r/index.ts";
import { ruby } from "../../src/languages/ruby/index.ts";
import { startSession } from "../support/session.ts";

interface Written {
  language: Language;
  program: string;
  /** Makes x = 41, as such programs are written. */
  make: string;
  /** Shows x + 1, as its last line. */
  show: string;
  /** How 42 is shown: displayed, or printed by the language itself. */
  shows: string;
  out: string;
  err: string;
  child: string;
  /** Fails in a function on its third line; the call is on the fifth. */
  fail: string;
  failure: RegExp[];
  syntax: string;
  /** Asks for a line and prints it between < and >. Not for all. */
  ask?: string;
  forever: string;
}

const all: Written[] = [
  {
    language: ruby,
    program: "ruby",
    make: "x = 41",
    show: "puts 'first'\nx + 1",
    shows: "42",
    out: "puts 'out'",
    err: "$stderr.puts 'err'",
    child: "system('echo child')",
    fail: 'def fail_here(n)\n  # the line after this\n  raise ArgumentError, "bad #{n}"\nend\nfail_here(7)',
    failure: [/bad 7/, /ArgumentError/, /<block 1>:3/, /<block 1>:5/],
    syntax: "x = (",
    ask: 'name = gets.chomp\nputs "<#{name}>"',
    forever: "loop { }",
  },
  {
    language: r,
    program: "Rscript",
    make: "x <- 41",
    show: "cat('first\\n')\nx + 1",
    shows: "[1] 42",
    out: "cat('out\\n')",
    err: "message('err')",
    child: "invisible(system('echo child'))",
    fail: "fail_here <- function(n) {\n  # the line after this\n  stop('bad ', n)\n}\nfail_here(7)",
    failure: [/bad 7/, /fail_here\(7\)/, /<block 1>, line 5/],
    syntax: "x <- (",
    ask: "name <- readline('who? ')\ncat('<', name, '>\\n', sep = '')",
    forever: "repeat {}",
  },
  {
    language: perl,
    program: "perl",
    make: "use strict; use warnings;\nmy $x = 41;",
    show: 'print "first\\n";\n$x + 1',
    shows: "42",
    out: 'print "out\\n";',
    err: 'print STDERR "err\\n";',
    child: "system('echo child');",
    fail: 'sub fail_here {\n  my ($n) = @_;\n  die "bad $n";\n}\nfail_here(7);',
    failure: [/bad 7 at <block 1> line 3/],
    syntax: "my $x = (;",
    ask: 'my $name = <STDIN>;\nchomp $name;\nprint "<$name>\\n";',
    forever: "while (1) {}",
  },
  {
    language: php,
    program: "php",
    make: "<?php\n$x = 41;",
    show: 'echo "first\\n";\n$x + 1',
    shows: "42",
    out: 'echo "out\\n";',
    err: 'fwrite(STDERR, "err\\n");',
    child: "system('echo child');",
    fail: 'function fail_here($n) {\n  // the line after this\n  throw new InvalidArgumentException("bad $n");\n}\nfail_here(7);',
    failure: [/bad 7/, /InvalidArgumentException/, /<block 1>:3/, /<block 1>:5/],
    syntax: "$x = (;",
    forever: "while (true) {}",
  },
  {
    language: lua,
    program: "lua",
    make: "local x = 41",
    show: "print('first')\nx + 1",
    shows: "42",
    out: "print('out')",
    err: "io.stderr:write('err\\n')",
    child: "os.execute('echo child')",
    fail: "local function fail_here(n)\n  -- the line after this\n  error('bad ' .. n)\nend\nfail_here(7)",
    failure: [/<block 1>:3: bad 7/, /<block 1>:5/],
    syntax: "x = (",
    ask: "local name = io.read()\nprint('<' .. name .. '>')",
    forever: "while true do end",
  },
  {
    language: java,
    program: "jshell",
    make: "int x = 41;",
    show: 'System.out.println("first");\nx + 1',
    shows: "42",
    out: 'System.out.println("out");',
    err: 'System.err.println("err");',
    child: 'new ProcessBuilder("echo", "child").inheritIO().start().waitFor();',
    fail: 'int failHere(int n) {\n  // the line after this\n  throw new IllegalArgumentException("bad " + n);\n}\nfailHere(7);',
    failure: [/bad 7/, /IllegalArgumentException/, /<block 1>:3/, /<block 1>:5/],
    syntax: "int x = (;",
    ask: 'String name = new Scanner(System.in).nextLine();\nSystem.out.println("<" + name + ">");',
    forever: "while (true) {}",
  },
  {
    language: julia,
    program: "julia",
    make: "x = 41",
    show: 'println("first")\nx + 1',
    shows: "42",
    out: 'println("out")',
    err: 'println(stderr, "err")',
    child: "run(`echo child`);",
    fail: 'function fail_here(n)\n  # the line after this\n  error("bad $n")\nend\nfail_here(7)',
    failure: [/bad 7/, /<block 1>:3/],
    syntax: "x = (",
    forever: "while true end",
  },
];

describe.each(all.map((written) => [written.language.name, written] as const))("%s", (name, written) => {
  const installed = findProgram([written.program], process.env) !== undefined;
  const it = test.skipIf(!installed);
  const asking = test.skipIf(!installed || !written.ask);

  it("keeps what a block makes, and shows the value of the last expression after what was printed", async () => {
    await using session = await startSession(written.language);
    expect((await session.run(written.make)).end).toEqual({ type: "end", status: "ok" });
    const ran = await session.run(written.show);
    const shown = ran.events.flatMap((event) => {
      if (event.type === "output") return [event.text];
      return event.type === "display" ? [String(event.bundle["text/plain"])] : [];
    });
    expect(shown.join("").trim()).toBe(`first\n${written.shows}`);
    expect(ran.stderr).toBe("");
    expect(ran.end.status).toBe("ok");
  });

  it("keeps stdout, stderr and what children print apart and in order", async () => {
    await using session = await startSession(written.language);
    const ran = await session.run(`${written.out}\n${written.child}\n${written.err}\n${written.out}`);
    expect(ran.stdout).toBe("out\nchild\nout\n");
    expect(ran.stderr).toBe("err\n");
  });

  it("says what failed and in which line, and keeps the state", async () => {
    await using session = await startSession(written.language);
    const ran = await session.run(written.fail);
    expect(ran.end.status).toBe("error");
    for (const pattern of written.failure) expect(ran.error?.traceback).toMatch(pattern);
    expect(ran.error?.message).toMatch(/bad 7/);
    expect(ran.error?.traceback).not.toMatch(/driver/i);
    await session.run(written.make);
    const broken = await session.run(written.syntax);
    expect([broken.end.status, broken.error?.traceback]).toEqual(["error", expect.stringContaining("<block 3>")]);
    const after = await session.run(written.show);
    expect([...after.displayed, after.stdout].join("\n")).toContain(written.shows);
  });

  it("is interrupted in a busy loop, again and again, and keeps its state", async () => {
    await using session = await startSession(written.language);
    await session.run(written.make);
    for (let times = 0; times < 3; times++) {
      const ran = await session.run(`${written.out}\n${written.forever}`, (event) => {
        if (event.type === "output" && event.text.includes("out")) setTimeout(() => session.session.interrupt(), 50);
      });
      expect(ran.end).toEqual({ type: "end", status: "interrupted" });
    }
    const after = await session.run(written.show);
    expect([...after.displayed, after.stdout].join("\n")).toContain(written.shows);
  });

  asking("asks the person for input, and says so where nobody is there", async () => {
    await using session = await startSession(written.language, ["Ann é"]);
    expect((await session.run(written.ask!)).stdout).toContain("<Ann é>");
    const nobody = await session.run(written.ask!);
    expect(nobody.end.status).toBe("error");
    expect(nobody.error?.traceback).toContain("nobody is here to answer");
  });

  it("keeps characters of every script", async () => {
    await using session = await startSession(written.language);
    const ran = await session.run(written.out.replace(/(?<=['"])out/, "ünï 日本 🎉"));
    expect(ran.stdout).toBe("ünï 日本 🎉\n");
  });

  it("is offered to the model only if it should be", async () => {
    await using session = await startSession(written.language);
    expect(session.session.description).toMatch(/\d/);
    expect(written.language.offered !== false).toBe(["ruby", "r", "java", "julia"].includes(name));
  });
});

const has = (program: string) => findProgram([program], process.env) !== undefined;

describe("what the original lost or broke", () => {
  test.skipIf(!has("jshell"))(
    "Java neither writes nor deletes files in the working folder, also for a whole program",
    async () => {
      await using session = await startSession(java);
      writeFileSync(join(session.folder, "Main.java"), "mine");
      writeFileSync(join(session.folder, "Main.class"), "mine too");
      const ran = await session.run(
        'package demo;\npublic class Main {\n  public static void main(String[] args) {\n    System.out.println("from main");\n  }\n}',
      );
      expect(ran.stdout).toBe("from main\n");
      expect(readdirSync(session.folder).sort()).toEqual(["Main.class", "Main.java"]);
      expect(readFileSync(join(session.folder, "Main.java"), "utf8")).toBe("mine");
      // Code without a class is not an error.
      expect((await session.run("int y = 2;\ny * 21")).displayed).toEqual(["42"]);
    },
  );

  test.skipIf(!has("jshell"))("Java output streams while it runs", async () => {
    await using session = await startSession(java);
    mkdirSync(join(session.folder, "flags"));
    const ran = await session.run(
      'System.out.print("first");\nwhile (!Files.exists(Path.of("flags/go"))) Thread.sleep(5);\nSystem.out.println("second");',
      (event) => {
        if (event.type === "output" && event.text.includes("first"))
          writeFileSync(join(session.folder, "flags/go"), "");
      },
    );
    expect(ran.stdout).toBe("firstsecond\n");
  });

  test.skipIf(!has("ruby"))("Ruby lines that contain nil are shown, and a nil inside of a value", async () => {
    await using session = await startSession(ruby);
    const ran = await session.run("puts 'nil is here'\np nil\nputs 'vanilla'\n[1, nil]");
    expect(ran.stdout).toBe("nil is here\nnil\nvanilla\n");
    expect(ran.displayed).toEqual(["[1, nil]"]);
  });

  test.skipIf(!has("Rscript"))("R errors come before the end of the block, with their text", async () => {
    await using session = await startSession(r);
    const ran = await session.run("print('before')\nstop('the text of it')\nprint('never')");
    const kinds = ran.events.map(({ type }) => type);
    expect(kinds.indexOf("error")).toBeGreaterThan(kinds.indexOf("output"));
    expect(kinds.indexOf("error")).toBeLessThan(kinds.indexOf("end"));
    expect(ran.error?.traceback).toContain("the text of it");
    expect(ran.stdout).toBe('[1] "before"\n');
  });

  test.skipIf(!has("Rscript"))("R's echo is not guessed away: a block may print what it consists of", async () => {
    await using session = await startSession(r);
    const ran = await session.run("code <- 'x <- 1'\ncat(code, '\\n')\ncat('> x <- 1\\n')");
    expect(ran.stdout).toBe("x <- 1 \n> x <- 1\n");
  });
});

test.skipIf(!has("Rscript"))("R plots are pictures, and no file is left behind", async () => {
  await using session = await startSession(r);
  const ran = await session.run("plot(1:10)\nhist(c(1, 2, 2, 3))");
  expect(
    ran.bundles.map((bundle) => Buffer.from(String(bundle["image/png"]), "base64").toString("latin1", 1, 4)),
  ).toEqual(["PNG", "PNG"]);
  expect(readdirSync(session.folder)).toEqual([]);
});

test.skipIf(!has("ruby"))("Ruby says which line runs, and children of a fork have no voice", async () => {
  await using session = await startSession(ruby);
  const ran = await session.run("sleep 0.15\nsleep 0.15\nputs 1");
  expect(ran.lines).toEqual(expect.arrayContaining([1, 2]));
  const forked = await session.run("if fork.nil?\n  puts 'child'\nelse\n  Process.wait\nend\nnil");
  expect([forked.stdout, forked.end.status]).toEqual(["child\n", "ok"]);
  expect((await session.run("40 + 2")).displayed).toEqual(["42"]);
});

test.skipIf(!has("perl"))("a failed Perl block loses only its own variables", async () => {
  await using session = await startSession(perl);
  await session.run("use strict; my $kept = 1;");
  expect((await session.run("my $gone = 2; die 'no';")).end.status).toBe("error");
  expect((await session.run("$kept")).displayed).toEqual(["1"]);
  expect((await session.run("print $gone;")).error?.message).toMatch(/Global symbol "\$gone"/);
  for (const stray of ["last;", "next;", "return 5;"]) expect((await session.run(stray)).end.status).toBe("ok");
  expect((await session.run("1 while wait() != -1; $kept + 1")).displayed).toEqual(["2"]);
});

test.skipIf(!has("php"))("a PHP function that is there already is an error, not the end of the session", async () => {
  await using session = await startSession(php);
  await session.run("function twice($n) { return 2 * $n; }\n$kept = 5;");
  expect((await session.run("function twice($n) { return 3 * $n; }")).error?.message).toMatch(
    /twice is defined already/,
  );
  expect((await session.run("twice($kept)")).displayed).toEqual(["10"]);
  expect((await session.run("<p><?= $kept ?></p>")).stdout).toBe("<p>5</p>");
  expect((await session.run("echo $nothing;")).stderr).toBe(
    "Warning: Undefined variable $nothing in <block 5> on line 1\n",
  );
});

test.each([
  ["local a, b <const> = 1, 2", "a, b  = 1, 2"],
  ["local x\nprint(x)", "x = nil\nprint(x)"],
  ["local function f() local y = 1 return y end", "function f() local y = 1 return y end"],
  ["for i = 1, 2 do local z = 1 end local w = { 1 }", "for i = 1, 2 do local z = 1 end  w = { 1 }"],
  [
    "if a then local q elseif b then local r else local s end local t",
    "if a then local q elseif b then local r else local s end  t = nil",
  ],
  ["local s = [==[ local ]] ]==] -- local c", "s = [==[ local ]] ]==] -- local c"],
  ["repeat local z until z local k = 'local'", "repeat local z until z  k = 'local'"],
])("what Lua declares at the top level stays: %s", (code, kept) => {
  expect(keepLocals(code).trim()).toBe(kept);
});
