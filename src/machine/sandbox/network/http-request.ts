// The first words of a client that speaks HTTP to a proxy.

import type { Password, Request } from "./proxy.ts";

const bad = (why: string): Request => ({
  kind: "bad",
  answer: Buffer.from(`HTTP/1.1 400 Bad Request\r\nContent-Length: ${why.length}\r\nConnection: close\r\n\r\n${why}`),
});

/** Asks who it is: some clients say so only then. */
const stranger: Request = {
  kind: "bad",
  answer: Buffer.from(
    'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="sandbox"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  ),
};

/** Undefined until the head of the request is there. Only who knows the password is heard, where there is one. */
export function readHttp(said: Buffer, password?: Password): Request | undefined {
  const end = said.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [first = "", ...headers] = said.subarray(0, end).toString("latin1").split("\r\n");
  const rest = said.subarray(end + 4);
  // A line break that only some servers take for one: they would read another request than we do.
  if (/[\r\n\0]/.test(first + headers.join(""))) return bad("That is not a request.");
  if (password && !headers.some((header) => saysPassword(header, password))) return stranger;
  const [method = "", place = "", version = ""] = first.split(" ");
  if (method === "CONNECT") {
    const target = readAuthority(place, 443);
    return target ? { kind: "tunnel", target, rest } : bad("That is not a host and a port.");
  }
  const url = URL.parse(place);
  if (url?.protocol !== "http:" || url.username !== "") return bad("This is a proxy: ask for a whole address.");
  const target = readAuthority(url.host, 80);
  if (!target) return bad("That is not a host.");
  // One request to a connection: the next one may be meant for another host.
  const own = headers.filter((header) => !/^(proxy-[\w-]+|connection|keep-alive|host)\s*:/i.test(header));
  const head = [
    `${method} ${url.pathname}${url.search} ${version}`,
    `Host: ${url.host}`,
    ...own,
    "Connection: close",
    "",
    "",
  ].join("\r\n");
  return { kind: "forward", target, rest: Buffer.concat([Buffer.from(head, "latin1"), rest]) };
}

function saysPassword(header: string, password: Password): boolean {
  const said = /^proxy-authorization\s*:\s*basic\s+([\w+/=-]+)\s*$/i.exec(header)?.[1];
  const [name, ...rest] = Buffer.from(said ?? "", "base64")
    .toString("latin1")
    .split(":");
  return said !== undefined && password(name!, rest.join(":"));
}

/** `example.org:443`, `[::1]:80`. */
function readAuthority(text: string, port: number): { host: string; port: number } | undefined {
  const found = /^(?:\[([0-9a-f:.%]+)\]|([^\s:@/?#]+))(?::(\d{1,5}))?$/i.exec(text);
  const host = found?.[1] ?? found?.[2];
  const wanted = found?.[3] === undefined ? port : Number(found[3]);
  return host && wanted > 0 && wanted < 65_536 ? { host: host.toLowerCase(), port: wanted } : undefined;
}
