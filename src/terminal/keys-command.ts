// `interpreter keys`: which keys are known and where they come from; keeping one; forgetting one. Nothing of a key is shown.

import { findProvider, keyOwner, keyOwners } from "../models/index.ts";
import { InputProblem, type KeyOwner, type KeyPlace, nearest, openKeys } from "../settings/index.ts";
import { askPlace, typedKey, whereKept } from "./ask-key.ts";
import { LineReader } from "./line-reader.ts";

const usage = "interpreter keys, interpreter keys set PROVIDER [keyring|file], interpreter keys remove PROVIDER";

/** The words after `keys`. `piped` is what came in through a pipe, where there is one. */
export async function runKeys([verb = "list", name, place]: readonly string[], piped: () => Promise<string>) {
  if (verb === "list") return print(await list());
  if (!name) throw new InputProblem(`Whose key? \`keys ${verb}\` needs the name of a provider.`, usage);
  const owner = ownerNamed(name);
  if (verb === "remove") return remove(owner);
  if (place !== undefined && place !== "keyring" && place !== "file")
    throw new InputProblem(`A key is kept in the keyring or in a file, not in ${JSON.stringify(place)}.`, usage);
  return set(owner, place, piped);
}

function ownerNamed(name: string): KeyOwner {
  const provider = findProvider(name.split("/")[0]!);
  const owner = provider && keyOwner(provider, process.env);
  if (owner) return owner;
  if (provider) throw new InputProblem(`${provider.label} needs no key.`, `Use it: --model ${provider.name}/NAME`);
  const near = nearest(
    name.toLowerCase(),
    keyOwners(process.env).map((each) => each.name),
  );
  throw new InputProblem(
    `No provider is called ${JSON.stringify(name)}.`,
    near ? `Did you mean ${near}?` : "Name it as in --model PROVIDER/NAME, for example anthropic or openrouter.",
  );
}

async function list(): Promise<string> {
  const { keptKeys, keyFile, readDotEnv } = await openKeys();
  const owners = keyOwners(process.env);
  const here = readDotEnv(
    process.cwd(),
    owners.flatMap(({ variables }) => variables),
  );
  const kept = keptKeys();
  const rows = owners.flatMap(({ name, variables }) => {
    const variable = variables.find((each) => process.env[each]?.trim());
    const local = variables.find((each) => here[each]);
    const places = [
      ...(variable ? [`environment (${variable})`] : []),
      ...(local ? [`.env in this folder (${local})`] : []),
      ...(kept[name] === "keyring" ? ["system keyring"] : kept[name] ? [keyFile()] : []),
    ];
    const [used, ...others] = places;
    return used ? [[name, `${used}${others.length > 0 ? `, before ${others.join(" and ")}` : ""}`] as const] : [];
  });
  if (rows.length === 0) return "No keys are known. Keep one: interpreter keys set PROVIDER\n";
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, from]) => `${name.padEnd(width)}  ${from}\n`).join("");
}

async function set(owner: KeyOwner, wanted: KeyPlace | undefined, piped: () => Promise<string>): Promise<number> {
  const { hasKeyring, keepKey, readKey } = await openKeys();
  if (!process.stdin.isTTY) {
    const key = readKey(await piped());
    if (!key) throw new InputProblem("What was piped in is not a key.", `For example: pass show KEY | ${usage}`);
    const place = wanted ?? (hasKeyring() ? "keyring" : "file");
    await keepKey(owner, key, place);
    return print(`${whereKept(place)}.\n`);
  }
  const lines = new LineReader(process.stdin, process.stdout);
  const stop = new AbortController();
  lines.onInterrupt = () => stop.abort();
  try {
    const key = await typedKey(owner, lines, stop.signal);
    const place = key && (wanted ?? (await askPlace(hasKeyring(), "", lines, stop.signal)));
    if (!key || !place) return print("Nothing was kept.\n", 1);
    await keepKey(owner, key, place);
    return print(`${whereKept(place)}.\n`);
  } finally {
    lines.close();
  }
}

async function remove(owner: KeyOwner): Promise<number> {
  const { forgetKey, readDotEnv } = await openKeys();
  const was = await forgetKey(owner);
  const variable = owner.variables.find((name) => process.env[name]?.trim());
  const here = Object.keys(readDotEnv(process.cwd(), owner.variables))[0];
  const still = [
    ...(variable ? [`It is still in the environment: ${variable}.\n`] : []),
    ...(here ? [`It is still in .env in this folder: ${here}.\n`] : []),
  ];
  if (!was && still.length === 0)
    throw new InputProblem(`No key of ${owner.label} is kept.`, "interpreter keys lists them.");
  const gone = was ? `Forgotten: it was ${was === "keyring" ? "in the system keyring" : "in the file of keys"}.\n` : "";
  return print(gone + still.join(""), was ? 0 : 1);
}

function print(text: string, code = 0): number {
  process.stdout.write(text);
  return code;
}
