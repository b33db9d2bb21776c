// Which addresses are on this machine. The network's other addresses of this machine are not among them: whoever means this
// machine can say so.

/** Judged by the address alone: no name is looked up. */
export function isOnThisMachine(address: string | URL): boolean {
  const url = address instanceof URL ? address : URL.parse(address);
  return url !== null && isThisHost(url.hostname);
}

/** A host as it stands in a web address or in a call: `localhost`, 127.0.0.0/8, ::1. */
export function isThisHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, "");
  if (name === "localhost") return true;
  const mapped = name.replace(/^::ffff:(?=\d+\.)/, "");
  return /^127(\.\d{1,3}){3}$/.test(mapped) || name === "::1" || /^::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}$/.test(name);
}
