// A stand-in for Hugging Face: one file, told about and handed out the way the hub does, with the faults of real networks.

import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HubOptions {
  content: Buffer;
  /** How the checksum is told: in the answer's head, only in the listing, not at all, or wrongly. */
  checksum?: "head" | "listing" | "none" | "wrong";
  /** The size that is told, where it is not the real one. */
  size?: number;
  /** Statuses of the first answers, in order; 200 is a proper answer. */
  statuses?: number[];
  /** After how many bytes each download breaks off, in order; undefined does not. */
  cuts?: (number | undefined)[];
  /** Whether a part can be asked for. */
  ranges?: boolean;
}

export interface ModelHub extends AsyncDisposable {
  origin: string;
  /** Every request: the method, the path, and what part was asked for. */
  requests: { method: string; path: string; range: string | undefined }[];
  /** Puts another file in the place of the first. */
  change(content: Buffer): void;
}

export async function startModelHub(options: HubOptions): Promise<ModelHub> {
  let { content } = options;
  const { checksum = "head", ranges = true } = options;
  const statuses = [...(options.statuses ?? [])];
  const cuts = [...(options.cuts ?? [])];
  const requests: ModelHub["requests"] = [];
  const sha256 = () => (checksum === "wrong" ? "0".repeat(64) : createHash("sha256").update(content).digest("hex"));
  const etag = () => `"${createHash("md5").update(content).digest("hex")}"`;

  function send(response: ServerResponse, range: string | undefined, ifRange: string | undefined): void {
    const from = ranges && range && (!ifRange || ifRange === etag()) ? Number(/\d+/.exec(range)![0]) : 0;
    const rest = content.subarray(from);
    response.writeHead(from > 0 ? 206 : 200, {
      etag: etag(),
      "content-length": rest.length,
      ...(from > 0 && { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` }),
    });
    const cut = cuts.shift();
    if (cut === undefined) response.end(rest);
    else response.write(rest.subarray(0, cut), () => setTimeout(() => response.destroy(), 200));
  }

  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    requests.push({ method, path: url, range: headers.range });
    const status = statuses.shift() ?? 200;
    if (status !== 200) return void response.writeHead(status).end();
    if (url.includes("/tree/")) {
      const lfs = { oid: sha256(), size: content.length };
      return void response.end(JSON.stringify([{ path: "model.gguf", ...(checksum === "listing" && { lfs }) }]));
    }
    if (url.startsWith("/store/")) return send(response, headers.range, headers["if-range"] as string | undefined);
    const told = checksum === "head" || checksum === "wrong";
    response.writeHead(302, {
      location: "/store/file",
      "x-repo-commit": "abc123",
      ...(told && { "x-linked-etag": `"${sha256()}"`, "x-linked-size": options.size ?? content.length }),
    });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    change(next) {
      content = next;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
