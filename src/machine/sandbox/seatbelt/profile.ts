// The walls of a sandbox in the language of macOS's own sandbox (SBPL): what is not allowed is denied, and the last line that speaks of
// something holds.

import { dirname } from "node:path";
import { isWithin } from "../../layer/mounts.ts";
import type { Walls } from "../walls.ts";
import { caseless, quoted } from "./text.ts";

export interface ProfileRequest {
  walls: Walls;
  /** The workspace. */
  roots: readonly string[];
  /** Where temporary files go. */
  temporary: readonly string[];
  /** A folder that nobody else uses: code may have sockets there. */
  own: string;
  /** Where our proxy listens, where there is a way out. */
  proxy?: number | undefined;
  /** Ports of this machine that the person allowed. */
  ports?: readonly number[];
}

/** What programs ask of the system to run at all; nothing that starts something or keeps a secret. */
const services = [
  "com.apple.PowerManagement.control",
  "com.apple.bsd.dirhelper",
  "com.apple.logd",
  "com.apple.system.logger",
  "com.apple.system.notification_center",
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.opendirectoryd.membership",
];

/** What is asked about machine and system. Never `kern.procargs2`: it has the variables of other programs. */
const facts = [
  ..."argmax boottime hostname maxfiles maxfilesperproc maxproc ngroups osproductversion osrelease ostype osvariant_status"
    .split(" ")
    .map((name) => `kern.${name}`),
  ..."osversion secure_kernel tcsm_available tcsm_enable usrstack64 version willshutdown"
    .split(" ")
    .map((name) => `kern.${name}`),
  "machdep.ptrauth_enabled",
  "security.mac.lockdown_mode_state",
  "sysctl.proc_cputype",
  "sysctl.proc_translated",
];
const manyFacts = ["hw.", "machdep.cpu.", "vm.", "net.routetable."];

/** Memory that processes of one program share, by the names that Python, OpenMP and PyTorch give it. */
const shared = '#"^/?(psm_|mp-|loky-|torch_|__KMP_REGISTERED_LIB_)"';

const system: readonly string[] = [
  "(allow process-exec process-fork)",
  "(allow process-info* (target same-sandbox))",
  "(allow signal (target same-sandbox))",
  "(allow mach-host*)",
  `(allow mach-lookup${listed(services.map((name) => `(global-name "${name}")`))})`,
  `(allow sysctl-read${listed([
    ...facts.map((name) => `(sysctl-name "${name}")`),
    ...manyFacts.map((start) => `(sysctl-name-prefix "${start}")`),
  ])})`,
  '(allow sysctl-write (sysctl-name "kern.grade_cputype") (sysctl-name "kern.tcsm_enable"))',
  '(allow iokit-open (iokit-registry-entry-class "RootDomainUserClient"))',
  "(allow iokit-get-properties)",
  "(allow ipc-posix-sem)",
  `(allow ipc-posix-shm (ipc-posix-name-regex ${shared}))`,
];

/** The terminals of others are not read from or written to: only those that code opens itself. */
const devices: readonly string[] = [
  '(deny file-read-data file-write* (regex #"^/dev/"))',
  '(allow file-read-data file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))',
  '(allow file-read-data file-ioctl (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/dtracehelper"))',
  '(allow file-read-data (literal "/dev/fd") (literal "/dev/autofs_nowait") (literal "/dev/stdin"))',
  '(allow file-read-data file-write-data (regex #"^/dev/fd/") (literal "/dev/stdout") (literal "/dev/stderr"))',
  "(allow pseudo-tty)",
  '(allow file-read* file-write* file-ioctl (literal "/dev/ptmx"))',
  '(allow file-read* file-write* (require-all (regex #"^/dev/ttys[0-9]+$") (extension "com.apple.sandbox.pty")))',
  '(allow file-ioctl (regex #"^/dev/ttys[0-9]+$"))',
];

export function profile(request: ProfileRequest): string {
  const { walls, roots, temporary, own } = request;
  const open = [...roots, ...temporary, ...walls.writable, own];
  return [
    "(version 1)",
    "(deny default)",
    ...system,
    ...reading(request),
    ...devices,
    `(allow file-write*${listed(open.map(below))})`,
    ...writing(walls, open),
    ...network(request),
    "",
  ].join("\n");
}

function reading({ walls, roots, temporary, own }: ProfileRequest): string[] {
  const stays = [...walls.shown, ...roots, ...temporary, own];
  const around = walls.hidden.filter((path) => stays.some((place) => place !== path && isWithin(place, path)));
  const hidden = walls.hidden.filter((path) => !around.includes(path));
  return [
    "(allow file-read* file-map-executable)",
    // Of these, only what stays is seen; and where that is.
    ...(around.length > 0
      ? [
          deny("file-read* file-map-executable", around),
          `(allow file-read* file-map-executable${listed(stays.map(below))})`,
          `(allow file-read-metadata${listed([...new Set(stays.flatMap(above))].map(exactly))})`,
        ]
      : []),
    ...(hidden.length > 0 ? [deny("file-read* file-map-executable", hidden)] : []),
  ];
}

/** What lies where code may write and stays as it is, wherever its folder would be moved. */
function writing({ hidden, fixed, writable }: Walls, open: readonly string[]): string[] {
  const isOpen = (path: string): boolean => open.some((place) => isWithin(path, place));
  // A folder around the workspace is hidden for what else is in it.
  const stay = [...hidden.filter((path) => !open.some((place) => isWithin(place, path))), ...fixed];
  const within = stay.filter(isOpen);
  const moved = [...new Set(within.flatMap(above))].filter(isOpen);
  const inside = writable.filter((path) => stay.some((place) => place !== path && isWithin(path, place)));
  return [
    ...(stay.length > 0 ? [deny("file-write*", stay)] : []),
    ...(inside.length > 0 ? [`(allow file-write*${listed(inside.map(below))})`] : []),
    ...(moved.length > 0 ? [`(deny file-write-unlink${listed(moved.map(exactly))})`] : []),
  ];
}

/** Other machines are reached through our proxy alone; who listens on this machine is found by others on it. */
function network({ roots, own, proxy, ports = [], walls }: ProfileRequest): string[] {
  const sockets = [...roots, own].map((path) => `(subpath ${quoted(path)})`);
  const reached = proxy === undefined ? [] : [proxy, ...ports];
  return [
    "(allow system-socket (socket-domain AF_UNIX))",
    `(allow network-bind${listed(sockets.map((place) => `(local unix-socket ${place})`))})`,
    `(allow network-outbound${listed(sockets.map((place) => `(remote unix-socket ${place})`))})`,
    ...(walls.network ? ['(allow network-bind network-inbound (local ip "localhost:*"))'] : []),
    ...(reached.length > 0
      ? [`(allow network-outbound${listed(reached.map((port) => `(remote ip "localhost:${port}")`))})`]
      : []),
  ];
}

/** Names are the same in large and small letters, and whatever way leads there. */
const deny = (operations: string, paths: readonly string[]): string =>
  `(deny ${operations}${listed(paths.flatMap((path) => [below(path), `(regex #"${caseless(path)}")`]))})`;

const below = (path: string): string => `(subpath ${quoted(path)})`;
const exactly = (path: string): string => `(literal ${quoted(path)})`;

/** The folders that it lies in. */
function above(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...above(parent)];
}

function listed(lines: readonly string[]): string {
  return lines.length === 1 ? ` ${lines[0]}` : lines.map((line) => `\n  ${line}`).join("");
}
