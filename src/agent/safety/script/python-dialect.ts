// Python as a look understands it: what its names stand for, and what calling them does.

import { comesFrom, gap, isKnown, nothing, outOf, textValue } from "../value.ts";
import type { Dialect } from "./evaluate.ts";
import { all, argument, doing, first, inFile, killing, type Meaning, variable, withName } from "./meaning.ts";
import { isAddress } from "./network.ts";
import { started } from "./programs.ts";
import { pythonCode } from "./python-code.ts";
import { pythonFiles } from "./python-files.ts";
import { pythonName, pythonThing } from "./python-names.ts";
import { isSocket, pythonNetwork, pythonRequests, reached } from "./python-network.ts";
import { textMethod } from "./texts.ts";

const shown =
  "print display pprint.pprint sys.stdout.write sys.stderr.write logging.info logging.debug logging.warning logging.error IPython.display.display";

const meanings = new Map<string, Meaning>([
  ...pythonCode,
  ...pythonFiles,
  ...pythonNetwork,
  ...all(
    "os.kill os.killpg signal.pidfd_send_signal",
    doing(({ values: [who] }) => killing(who)),
  ),
  ...all(
    "psutil.Process().kill psutil.Process().terminate psutil.Process().suspend",
    doing(() => killing(undefined)),
  ),
  ...all("os.getenv os.environ.get os.environ.pop", (call) =>
    isKnown(first(call)?.text) ? variable(first(call)!.text!) : { from: [{ type: "environment" }] },
  ),
  ...all("os.environ.copy os.environ.items os.environ.values", ({ receiver }) => outOf(receiver)),
  ...all("os.environ.update os.environ.setdefault os.putenv", ({ values: [what, value], act }) => {
    for (const [name, each] of what?.fields ?? []) act({ type: "variable", name, value: each });
    if (what?.text !== undefined) act({ type: "variable", name: what.text, value: value ?? nothing });
    return nothing;
  }),
  ...all("dotenv.load_dotenv dotenv.dotenv_values", (call) => {
    const path = first(call) ?? textValue(".env");
    call.act({ type: "read", path });
    return inFile(path, "values");
  }),
  ...all(
    shown,
    doing(({ values }) => [{ type: "show", what: outOf(...values) }]),
  ),
]);

const programs =
  /^(os\.(system|popen|exec\w+|spawn\w+|posix_spawnp?|startfile)|subprocess\.(run|call|check_call|check_output|Popen|getoutput|getstatusoutput)|commands\.getoutput|pty\.spawn|pexpect\.(spawn|run)|asyncio\.(subprocess\.)?create_subprocess_(shell|exec)|get_ipython\(\)\.(system|getoutput)|ctypes\.(CDLL|cdll\.LoadLibrary)\(\)\.(system|popen))$/;
const readers =
  /^(pandas|polars|numpy|json|yaml|torch|joblib|pickle|PIL\.Image|geopandas|duckdb)\.(read_\w+|load\w*|open|safe_load|scan_\w+|genfromtxt)$/;
const writers =
  /\.(to_(csv|excel|parquet|json|pickle|feather|hdf|html|stata|latex)|savefig|write_(csv|parquet|json)|extractall)$/;
const queries = /\.(execute|executemany|executescript|sql)$/;

export const pythonDialect: Dialect = {
  global: pythonThing,
  knows: (name) => meanings.has(name) || programs.test(name) || pythonRequests.test(name),
  member(of, name) {
    if (of.name === "os.environ" && !/^(get|pop|copy|items|values|keys|update|setdefault)$/.test(name))
      return variable(name);
    if (of.name?.startsWith("pathlib.Path()") && /^parents?$/.test(name))
      return { ...of, text: `${of.text ?? gap}/..` };
    if (of.name === undefined || of.name.includes("(")) return undefined;
    const full = pythonName(`${of.name}.${name}`);
    const special = full !== `${of.name}.${name}` || full === "os.environ" || full === "sys.executable";
    return special ? { ...pythonThing(full), ...(of.hidden && { hidden: true }) } : undefined;
  },
  call(call) {
    const { name, receiver, values, act } = call;
    act({ type: "call", name, values, endless: call.endless });
    const meaning = meanings.get(name);
    if (meaning) return meaning(call);
    const [given] = values;
    if (pythonRequests.test(name))
      return reached(call, argument(call, name.endsWith(".request") ? 1 : 0, "url") ?? nothing, `${name}()`);
    if (programs.test(name)) {
      if (isSocket(call.named.stdin)) act({ type: "remote-shell", host: undefined });
      return started(call);
    }
    if (readers.test(name) && given && !comesFrom(given, "file")) {
      if (isAddress(given.text)) return reached(call, given, "data");
      act({ type: "read", path: given });
      return inFile(given, "data");
    }
    if (writers.test(name) && given?.text !== undefined) act({ type: "write", path: given, append: false });
    if (queries.test(name) && given?.text !== undefined) act({ type: "block", language: "sql", code: given.text });
    const text = textMethod(call);
    return text && receiver.name?.startsWith("pathlib.Path") ? withName(text, "pathlib.Path()") : text;
  },
};
