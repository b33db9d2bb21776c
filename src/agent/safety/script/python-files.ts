// What Python's library does with files and paths.

import type { Deed } from "../act.ts";
import { isKnown, nothing, textValue, type Value } from "../value.ts";
import type { Call } from "./evaluate.ts";
import { all, argument, copying, doing, first, inFile, type Meaning, withName } from "./meaning.ts";
import { listed, pathOf } from "./texts.ts";

const path = "pathlib.Path()";

const removing = (target: Value | undefined, recursive: boolean): Deed[] =>
  target ? [{ type: "delete", path: target, recursive }] : [];

/** Reads or writes, as the mode says. */
function openFile(target: Value | undefined, mode: string, { act }: Call): Value {
  if (target && target.number === undefined) {
    if (/[wax+]/.test(mode)) act({ type: "write", path: target, append: mode.includes("a") });
    if (!/[wax]/.test(mode)) act({ type: "read", path: target });
  }
  return /[wax]/.test(mode) ? { name: "file", from: [], receiver: target ?? nothing } : inFile(target, "open()");
}

/** One name of many; a loop over them goes round once. */
const names = (found: Value, name: string): Value => ({ items: [{ ...found, name }], from: found.from });

const homeOf = (value: Value | undefined): Value | undefined =>
  isKnown(value?.text) ? { ...value, text: value.text.replace(/^\$(\{HOME\}|HOME\b)/, "~") } : value;

const changeMode = (target: Value | undefined, mode: Value | undefined): Deed[] =>
  target && mode?.number !== undefined ? [{ type: "mode", path: target, mode: mode.number.toString(8) }] : [];

export const pythonFiles: readonly [string, Meaning][] = [
  ...all(
    "os.remove os.unlink os.rmdir",
    doing((call) => removing(argument(call, 0, "path"), false)),
  ),
  ["os.removedirs", doing((call) => removing(argument(call, 0, "name"), false))],
  ["shutil.rmtree", doing((call) => removing(argument(call, 0, "path"), true))],
  ...all(
    `${path}.unlink ${path}.rmdir`,
    doing(({ receiver }) => removing(receiver, false)),
  ),
  ["open", (call) => openFile(argument(call, 0, "file"), argument(call, 1, "mode")?.text ?? "r", call)],
  [`${path}.open`, (call) => openFile(call.receiver, argument(call, 0, "mode")?.text ?? "r", call)],
  ...all(`${path}.read_text ${path}.read_bytes`, ({ receiver, act }) => {
    act({ type: "read", path: receiver });
    return inFile(receiver, "content");
  }),
  ...all(
    `${path}.write_text ${path}.write_bytes ${path}.touch`,
    doing(({ receiver }) => [{ type: "write", path: receiver, append: false }]),
  ),
  ...all("shutil.copy shutil.copy2 shutil.copyfile shutil.copytree os.link os.symlink", copying(true)),
  ...all("shutil.move os.rename os.replace", copying(false)),
  ["os.truncate", doing(({ values: [target] }) => (target ? [{ type: "write", path: target, append: false }] : []))],
  ["pathlib.Path", ({ values }) => withName(pathOf(values.length > 0 ? values : [textValue(".")]), path)],
  ["pathlib.Path.home", () => ({ text: "~", name: path, from: [] })],
  ["pathlib.Path.cwd", () => ({ text: ".", name: path, from: [] })],
  ...all(`${path}.glob ${path}.rglob ${path}.iterdir`, ({ receiver, values }) =>
    names(listed(pathOf([receiver, values[0] ?? textValue("*")])), path),
  ),
  [`${path}.joinpath`, ({ receiver, values }) => withName(pathOf([receiver, ...values]), path)],
  ...all(`${path}.expanduser ${path}.resolve ${path}.absolute ${path}.as_posix`, ({ receiver }) => receiver),
  ["__path__", ({ values }) => withName(pathOf(values), values[0]?.name)],
  ["os.path.join", ({ values }) => pathOf(values)],
  ...all("os.path.expanduser os.path.abspath os.path.realpath os.path.normpath os.fspath os.path.expandvars", (call) =>
    homeOf(first(call)),
  ),
  ...all("glob.glob glob.iglob os.listdir os.scandir os.walk fnmatch.filter", (call) =>
    names(listed(first(call)), "entry"),
  ),
  ["os.getcwd", () => textValue(".")],
  ["os.chdir", doing((call) => [{ type: "folder", path: first(call)?.text }])],
  ["os.chmod", doing(({ values: [target, mode] }) => changeMode(target, mode))],
  [`${path}.chmod`, doing(({ receiver, values: [mode] }) => changeMode(receiver, mode))],
];
