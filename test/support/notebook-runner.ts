// Runs notebooks in real Jupyter: nbformat checks each, nbclient runs it in a kernel of its own. One process for many of them, because
// Jupyter takes longer to load than to run.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { testPython } from "./session.ts";

const program = `
import json, os, sys, tempfile, traceback, warnings
warnings.simplefilter("error")
import nbformat
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from nbclient import NotebookClient
    from traitlets.config import Config
for line in sys.stdin:
    path, env = json.loads(line)
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        folder = os.path.dirname(path)
        # Ports are picked by luck, and somebody else may have them by the time a kernel listens there.
        sockets = tempfile.TemporaryDirectory()
        config = Config({"KernelManager": {"transport": "ipc", "ip": os.path.join(sockets.name, "k")}})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            NotebookClient(notebook, config=config, resources={"metadata": {"path": folder}}).execute(env=env)
        answer = {"notebook": notebook}
    except BaseException:
        answer = {"problem": traceback.format_exc()}
    print(json.dumps(answer), flush=True)
`;

export interface ExecutedNotebook {
  cells: { outputs?: { text?: string | string[]; data?: Record<string, string | string[]> }[] }[];
}

export class NotebookRunner {
  #process: ChildProcessWithoutNullStreams | undefined;
  #answers: AsyncIterator<string> | undefined;

  /** Rejects with what Jupyter says against it. `env` is that of the kernel. */
  async run(path: string, env: NodeJS.ProcessEnv): Promise<ExecutedNotebook> {
    this.#process ??= spawn(testPython, ["-c", program], { stdio: "pipe" });
    this.#process.stderr.resume();
    this.#answers ??= createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
    this.#process.stdin.write(`${JSON.stringify([path, env])}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error("Jupyter has ended.");
    const { notebook, problem } = JSON.parse(value) as { notebook: ExecutedNotebook; problem?: string };
    if (problem !== undefined) throw new Error(problem);
    return notebook;
  }

  close(): void {
    this.#process?.stdin.end();
  }
}
