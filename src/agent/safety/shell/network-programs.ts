// Programs that talk to other machines: to which, and what they take along.

import { answerOf, hostOf, isAddress, request } from "../script/network.ts";
import { gap, outOf, textValue, type Value } from "../value.ts";
import { argumentsOf, has, words } from "./options.ts";
import type { Do, Program } from "./programs.ts";

const sending = words(
  "-d --data --data-binary --data-raw --data-urlencode --json -F --form -T --upload-file -H --header -u --user",
);
const curlTakes = words(
  `${[...sending].join(" ")} -o --output -X --request -A -e -b --cookie -c --cookie-jar -x --proxy -m --max-time --connect-timeout --retry -w --url --resolve -K --config -E --cert --key --cacert`,
);

/** `@file` in the data of curl: the content of that file. */
function content(option: string, value: Value): Value {
  const path = /^-T$|--upload-file/.test(option) ? value.text : /(?:^|=)[@<]([^;]+)/.exec(value.text ?? "")?.[1];
  if (path === undefined || path === "-" || /^--?(header|user|H|u|data-raw)$/.test(option)) return value;
  return { from: [...value.from, { type: "file", path }] };
}

const curl: Program = ({ values, input, files }, act) => {
  const parts = argumentsOf(values, curlTakes);
  const addresses = [...parts.rest, ...(parts.given.get("--url") ?? [])];
  const sent = [...sending].flatMap((option) => (parts.given.get(option) ?? []).map((value) => content(option, value)));
  for (const { from } of sent)
    for (const source of from) if (source.type === "file") act({ type: "read", path: textValue(source.path) });
  const piped = [...parts.given.values()]
    .flat()
    .some(({ text }) => text === "-" || text === "@-" || text?.endsWith("=@-"));
  const sends = [...sent, ...(piped ? [input] : [])];
  const output = [...(parts.given.get("-o") ?? []), ...(parts.given.get("--output") ?? [])];
  for (const path of output) act({ type: "write", path, append: false });
  const unchecked = has(parts, /^(-\w*k|--insecure)$/);
  for (const address of addresses) for (const deed of request(withScheme(address), { sends, unchecked })) act(deed);
  const answer = answerOf(addresses[0] && withScheme(addresses[0]), "answer");
  for (const { text } of [...output, ...(has(parts, /^-\w*O/) ? addresses.map(lastPart) : [])])
    if (text) files?.set(text, answer);
  return answer;
};

/** The name that a fetched file gets where none is given. */
const lastPart = ({ text = "" }: Value): Value =>
  textValue(
    text
      .replace(/[?#].*$/, "")
      .split("/")
      .at(-1) ?? "",
  );

const withScheme = (value: Value): Value =>
  value.text !== undefined && !value.text.includes("://") ? { ...value, text: `http://${value.text}` } : value;

const wget: Program = ({ values, files: written }, act) => {
  const parts = argumentsOf(
    values,
    words("-O -o -P --post-file --post-data --body-file --header -U --output-document"),
  );
  const files = [...(parts.given.get("--post-file") ?? []), ...(parts.given.get("--body-file") ?? [])];
  for (const path of files) act({ type: "read", path });
  const sends = [
    ...files.map(({ text = "" }): Value => ({ from: [{ type: "file", path: text }] })),
    ...(parts.given.get("--post-data") ?? []),
    ...(parts.given.get("--header") ?? []),
  ];
  const output = [...(parts.given.get("-O") ?? []), ...(parts.given.get("--output-document") ?? [])];
  for (const path of output) if (path.text !== "-") act({ type: "write", path, append: false });
  const unchecked = has(parts, /^--no-check-certificate$/);
  for (const address of parts.rest) for (const deed of request(withScheme(address), { sends, unchecked })) act(deed);
  const printed = has(parts, /^-\w*O-$/) || output.some(({ text }) => text === "-");
  const answer = answerOf(parts.rest[0] && withScheme(parts.rest[0]), "answer");
  for (const { text } of output.length > 0 ? output : parts.rest.map(lastPart)) if (text) written?.set(text, answer);
  return printed ? answer : outOf();
};

const isRemote = ({ text }: Value): boolean => /^[\w.@-]+:(?!\\)|^(s3|gs|rsync|az|https?):\/\//.test(text ?? "");

/** scp, rsync and their like: from here to there, or the other way. */
const transfers: Program = ({ values }, act) => {
  const parts = argumentsOf(values, words("-P -i -e -o -F --exclude --include --rsh --profile --region"));
  const places = parts.rest.filter(({ text = "" }) => !/^(s3|cp|sync|mv|copy|move|storage)$/.test(text));
  const to = places.at(-1);
  const local = places.slice(0, -1).filter((place) => !isRemote(place));
  const remote = places.find(isRemote);
  if (to && !isRemote(to) && has(parts, /^--delete/)) act({ type: "delete", path: to, recursive: true });
  if (!remote || !to) return outOf();
  for (const path of local) act({ type: "read", path });
  const sends = isRemote(to) ? local.map(({ text = "" }): Value => ({ from: [{ type: "file", path: text }] })) : [];
  for (const deed of request(
    { ...remote, text: remote.text!.replace(/^([\w.@-]+):(?!\/\/).*/, "ssh://$1") },
    { sends },
  ))
    act(deed);
  return outOf();
};

const connects: Program = ({ name, values, input }, act) => {
  const parts = argumentsOf(values, words("-p -w -s -i -l -L -R -o -F -J -connect -e -c --sh-exec --exec"));
  const runs =
    (has(parts, /^(-\w*[ec]|--exec|--sh-exec)$/) && /^(nc|ncat|netcat)$/.test(name)) || hasProgram(name, values);
  const target = parts.given.get("-connect")?.[0] ?? socatTarget(name, values) ?? parts.rest[0];
  const host = hostOf(`tcp://${target?.text ?? ""}`);
  if (has(parts, /^-\w*l/) && /^(nc|ncat|netcat)$/.test(name)) {
    act({ type: "listen", everywhere: true });
    if (runs) act({ type: "remote-shell", host: undefined });
    return { from: [...outOf(input).from, { type: "network", host: undefined }] };
  }
  if (!target) return outOf();
  if (runs) act({ type: "remote-shell", host });
  // What runs over there is no less a program.
  if (name === "ssh" && parts.rest.length > 1)
    act({
      type: "block",
      language: "shell",
      code: parts.rest
        .slice(1)
        .map(({ text }) => text ?? gap)
        .join(" "),
    });
  const address: Value = { ...target, text: `tcp://${target.text ?? ""}` };
  for (const deed of request(address, { sends: [input] })) act(deed);
  return answerOf(address, "answer");
};

const hasProgram = (name: string, values: readonly Value[]): boolean =>
  name === "socat" && values.some(({ text = "" }) => /^(exec|system):/i.test(text));

function socatTarget(name: string, values: readonly Value[]): Value | undefined {
  const found = name === "socat" ? values.find(({ text = "" }) => /^(tcp|udp|openssl)\w*:/i.test(text)) : undefined;
  return found && { ...found, text: found.text!.replace(/^\w+:/, "") };
}

const git: Program = ({ values }, act) => {
  const address = values.find(({ text }) => isAddress(text) || /^(git|ssh):\/\/|^git@[\w.-]+:/.test(text ?? ""));
  if (address) reach(act, { ...address, text: address.text!.replace(/^git@([\w.-]+):/, "ssh://$1/") });
  return outOf();
};

const reach = (act: Do, address: Value): void => {
  for (const deed of request(address)) act(deed);
};

export const networkPrograms: Readonly<Record<string, Program>> = {
  curl,
  wget,
  scp: transfers,
  rsync: transfers,
  aws: transfers,
  gsutil: transfers,
  rclone: transfers,
  ssh: connects,
  sftp: connects,
  nc: connects,
  ncat: connects,
  netcat: connects,
  telnet: connects,
  socat: connects,
  ftp: connects,
  git,
};
