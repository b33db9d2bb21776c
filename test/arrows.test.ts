// The drawing in docs/architecture.md, kept true: rooms use only rooms above them, and only through the door.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";

const source = join(import.meta.dirname, "../src");
const drawing = readFileSync(join(import.meta.dirname, "../docs/architecture.md"), "utf8");

/** The rooms from top to bottom, as the table in the drawing lists them. */
const rooms = [...drawing.matchAll(/^\| `([a-z]+)\/` \|/gm)].map((match) => match[1]!);

interface Arrow {
  from: string;
  to: string;
  file: string;
  door: boolean;
}

function arrows(): Arrow[] {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.d)\.ts$/.test(file));
  return files.flatMap((file) => {
    const text = readFileSync(join(source, file), "utf8");
    const imports = [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"|^import\s+"(\.[^"]+)"/gm)].map(
      (match) => match[1] ?? match[2]!,
    );
    return imports.flatMap((path) => {
      const target = relative(source, resolve(dirname(join(source, file)), path));
      const [from, to] = [roomOf(file), roomOf(target)];
      return from === to ? [] : [{ from, to, file, door: target === join(to, "index.ts") || to === "" }];
    });
  });
}

/** The room a file stands in; "" for the files beside the rooms. */
function roomOf(file: string): string {
  return file.includes(sep) ? file.split(sep)[0]! : "";
}

test("every folder under src/ is in the drawing, and every room of the drawing exists", () => {
  const folders = readdirSync(source, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map((entry) => entry.name).sort()).toEqual([...rooms].sort());
});

test("there are arrows to check", () => {
  expect(rooms.length).toBeGreaterThan(7);
  expect(arrows().length).toBeGreaterThan(30);
});

test("a room uses only rooms above it", () => {
  const upward = arrows().filter(
    ({ from, to }) => from !== "" && to !== "" && rooms.indexOf(to) >= rooms.indexOf(from),
  );
  expect(upward.map(({ file, to }) => `${file} uses ${to}/`)).toEqual([]);
});

test("a room is entered through its door", () => {
  const windows = arrows().filter(({ door }) => !door);
  expect(windows.map(({ file, to }) => `${file} reaches into ${to}/`)).toEqual([]);
});

test("no room uses the command or the library", () => {
  const down = arrows().filter(({ from, to, file }) => from !== "" && to === "" && !/version/.test(file));
  expect(down.map(({ file }) => file)).toEqual([]);
});
