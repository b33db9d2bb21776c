// What Python's library and well-known packages send and fetch.

import { comesFrom, nothing, type Value } from "../value.ts";
import type { Call } from "./evaluate.ts";
import { all, argument, doing, first, type Meaning, sentAlong } from "./meaning.ts";
import { answerOf, request } from "./network.ts";

/** Calls whose first or second argument is an address. */
export const pythonRequests =
  /^(requests|httpx|cloudscraper|curl_cffi\.requests)(\.(Session|session|Client|AsyncClient)\(\))?\.(get|post|put|patch|delete|head|options|request|stream)$|^aiohttp\.ClientSession\(\)\.(get|post|put|patch|delete|request|ws_connect)$|^urllib\.request\.(urlopen|urlretrieve|Request)$|^urllib3\.PoolManager\(\)\.request$|^(websockets?|websocket)\.(connect|create_connection)$|^wget\.download$|^feedparser\.parse$/;

export const isSocket = (value: Value | undefined): boolean =>
  value !== undefined && (value.name?.startsWith("socket.") === true || comesFrom(value, "network"));

const hostValue = (value: Value | undefined): Value =>
  value?.text === undefined || value.text.includes("://")
    ? (value ?? nothing)
    : { ...value, text: `tcp://${value.text}` };

export function reached(call: Call, address: Value, name: string): Value {
  const named = Object.entries(call.named);
  const unchecked = named.some(([key, { name: is }]) => /^(verify|ssl)$/.test(key) && is === "False");
  const files = named.some(([key]) => key === "files");
  const sends = [...call.values, ...Object.values(call.named), call.receiver];
  for (const deed of request(address, { sends, unchecked, ...(files && { upload: true }) })) call.act(deed);
  return answerOf(address, name);
}

export const pythonNetwork: readonly [string, Meaning][] = [
  ["os.dup2", doing(({ values: [from] }) => (isSocket(from) ? [{ type: "remote-shell", host: undefined }] : []))],
  ...all("socket.socket().connect socket.socket().connect_ex socket.create_connection", (call) => {
    const address = hostValue(first(call)?.items?.[0]);
    for (const deed of request(address)) call.act(deed);
    return answerOf(address, "socket.socket()");
  }),
  [
    "socket.socket().bind",
    doing((call) => [{ type: "listen", everywhere: /^(|0\.0\.0\.0|::)$/.test(first(call)?.items?.[0]?.text ?? "x") }]),
  ],
  ...all(
    "ftplib.FTP ftplib.FTP_TLS smtplib.SMTP smtplib.SMTP_SSL imaplib.IMAP4_SSL poplib.POP3_SSL telnetlib.Telnet",
    (call) => reached(call, hostValue(first(call)), `${call.name}()`),
  ),
  ...all("http.client.HTTPSConnection http.client.HTTPConnection paramiko.SSHClient().connect", (call) =>
    reached(call, hostValue(argument(call, 0, "hostname")), `${call.name}()`),
  ),
  ...all(
    "http.client.HTTPSConnection().request http.client.HTTPConnection().request smtplib.SMTP().sendmail smtplib.SMTP_SSL().sendmail ftplib.FTP().storbinary socket.socket().send socket.socket().sendall",
    doing(sentAlong),
  ),
];
