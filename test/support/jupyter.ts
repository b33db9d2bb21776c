// Real Jupyter servers for the tests, kernels of several kinds, and a wire that can be cut.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testPython } from "./session.ts";

/** Installs kernels in a folder of their own and returns the variables that make Jupyter look there. */
export function installKernels(): { env: NodeJS.ProcessEnv; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "kernels-test-"));
  const specs = {
    // Behind `env` it is any program: met at ports, not at files, and it does not look whether we are still there.
    bash: {
      argv: ["/usr/bin/env", "-u", "JPY_PARENT_PID", testPython, "-m", "bash_kernel", "-f", "{connection_file}"],
      display_name: "Bash",
      language: "bash",
      env: { PS1: "$", GREETING: "hello ${USER_OF_TEST}" },
    },
    sums: {
      argv: [testPython, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
      display_name: "Sums",
      language: "Sums",
      interrupt_mode: "message",
    },
    broken: { argv: [testPython, "-c", "import no_such_module"], display_name: "Broken", language: "broken" },
    absent: { argv: ["no-such-program-anywhere", "{connection_file}"], display_name: "Absent", language: "absent" },
  };
  for (const [name, spec] of Object.entries(specs)) {
    mkdirSync(join(folder, "kernels", name), { recursive: true });
    writeFileSync(join(folder, "kernels", name, "kernel.json"), JSON.stringify(spec));
  }
  mkdirSync(join(folder, "kernels", "nonsense"));
  writeFileSync(join(folder, "kernels", "nonsense", "kernel.json"), "{ not json");
  return {
    env: { ...process.env, JUPYTER_PATH: folder, USER_OF_TEST: "tester", JUPYTER_PREFER_ENV_PATH: "0" },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface JupyterServer {
  port: number;
  token: string;
  /** The ids of its kernels. */
  kernels(): Promise<string[]>;
  /** Deletes a kernel behind everybody's back. */
  remove(id: string): Promise<void>;
  stop(): Promise<void>;
}

const token = "0123456789abcdef-test-token";

export async function startJupyter(kind: "server" | "gateway", env: NodeJS.ProcessEnv): Promise<JupyterServer> {
  const folder = mkdtempSync(join(tmpdir(), "jupyter-test-"));
  const port = await freePort();
  const args =
    kind === "server"
      ? [
          "-m",
          "jupyter_server",
          "--no-browser",
          "--allow-root",
          `--ServerApp.port=${port}`,
          `--ServerApp.root_dir=${folder}`,
          `--IdentityProvider.token=${token}`,
          "--ServerApp.ip=127.0.0.1",
          "--ServerApp.port_retries=0",
        ]
      : [
          "-m",
          "kernel_gateway",
          "--KernelGatewayApp.ip=127.0.0.1",
          `--KernelGatewayApp.port=${port}`,
          `--KernelGatewayApp.auth_token=${token}`,
          "--KernelGatewayApp.port_retries=0",
          "--JupyterWebsocketPersonality.list_kernels=True",
        ];
  const home = { HOME: folder, JUPYTER_CONFIG_DIR: folder, JUPYTER_RUNTIME_DIR: folder };
  const child = spawn(testPython, args, { cwd: folder, env: { ...env, ...home }, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr!.on("data", (text) => {
    said += text;
  });
  const request = (path: string, method = "GET") =>
    fetch(`http://127.0.0.1:${port}/${path}`, { method, headers: { authorization: `token ${token}` } });
  const ask = async (path: string) => (await request(path)).json() as Promise<unknown>;
  while (!(await ask("api/kernelspecs").catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`The Jupyter ${kind} ended: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    token,
    kernels: async () => ((await ask("api/kernels")) as { id: string }[]).map(({ id }) => id),
    async remove(id) {
      await request(`api/kernels/${id}`, "DELETE");
    },
    async stop() {
      await stopped(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const impatient = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await exited;
  clearTimeout(impatient);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface Wire {
  port: number;
  /** Breaks every connection; while it is `down`, no new one is let through. */
  cut(options?: { down?: boolean }): void;
  mend(): void;
  close(): Promise<void>;
}

/** A wire to a port of this computer. */
export async function wireTo(port: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let isDown = false;
  const server = createServer((near) => {
    if (isDown) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut({ down = false } = {}) {
      isDown = down;
      for (const socket of sockets) socket.resetAndDestroy();
    },
    mend() {
      isDown = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
