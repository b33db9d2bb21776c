// What a program may ask of the kernel, as a filter for seccomp: a list of checks, each of which ends with a verdict.

import { cutting, errors, looked, older, refused, signals, told } from "./calls.ts";

/** As Node calls it. */
export type Processor = "x64" | "arm64";

export const processors: readonly string[] = ["x64", "arm64"];

export interface FilterRequest {
  processor: Processor;
  /** Whether connections are made for it; without, there is no network at all. */
  network: boolean;
  /** Whether Landlock knows of files being cut off, and of signals. */
  knowsCutting: boolean;
  knowsSignals: boolean;
}

/** Opening a file for neither reading nor writing; and cutting it off without writing. */
const access = { mask: 0x3, none: 0x3, cut: 0x200 };

/** New namespaces: mounts, control groups, names, System V, users, processes, networks; and clocks. */
const namespaces = 0x7e020000;
const clocks = 0x80;
/** Sending with the first packet connects, too. */
const fastOpen = 0x20000000;
/** Typing into a terminal, and flags of files. */
const unwanted = { typing: 0x5412, console: 0x541c, flags: 0x40086602, attributes: 0x401c5820 };
/** Having the kernel send a signal to somebody when a file or a socket is ready. */
const owning = [8, 15];
const owningSockets = [0x8901, 0x8902];
const families = { unix: 1, inet: 2, inet6: 10 };
const kinds = { stream: 1, sequence: 5 };
const tcp = 6;

const architectures = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** A second set of numbers that x64 has for its calls. */
const x32 = 0x40000000;

/** Instructions, each of eight bytes. */
export function filterFor({ processor, network, knowsCutting, knowsSignals }: FilterRequest): Buffer {
  const column = processor === "x64" ? 0 : 1;
  const program: Instruction[] = beginning(processor);
  for (const [error, calls] of Object.entries(refused))
    for (const numbers of Object.values(calls))
      if (numbers[column]! >= 0) program.push(jump(equals, numbers[column]!, 0, 1), refuse(Number(error)));
  for (const { [column]: number } of [...told, ...(knowsSignals ? [] : signals)])
    if (number! >= 0) program.push(jump(equals, number!, 0, 1), tell);
  for (const { [column]: number } of older)
    if (number! >= 0) program.push(jump(equals, number!, 0, 1), refuse(errors.unknown));
  for (const { [column]: number } of knowsCutting ? [] : cutting)
    program.push(jump(equals, number!, 0, 1), refuse(errors.unknown));
  const when = (name: keyof typeof looked, checks: Instruction[]): void => {
    if (looked[name][column] < 0) return;
    // Each of them ends with a verdict: the number of the call is still there for the next one.
    program.push(jump(equals, looked[name][column], 0, checks.length + 1), ...checks, allow);
  };
  when("open", openChecks(1, knowsCutting));
  when("openat", openChecks(2, knowsCutting));
  when("socket", socketChecks(network));
  when("socketpair", [
    ...kindOf(1),
    jump(equals, kinds.stream, 2, 0),
    jump(equals, kinds.sequence, 1, 0),
    refuse(errors.denied),
  ]);
  when("connect", [tell]);
  when("sendto", ifSet(3, fastOpen, errors.denied));
  when("sendmsg", ifSet(2, fastOpen, errors.denied));
  when("sendmmsg", ifSet(3, fastOpen, errors.denied));
  when("clone", ifSet(0, namespaces, errors.notPermitted));
  when("unshare", ifSet(0, namespaces | clocks, errors.notPermitted));
  when("ioctl", [argument(1), ...refuseEach([...Object.values(unwanted), ...(knowsSignals ? [] : owningSockets)])]);
  if (!knowsSignals) when("fcntl", [argument(1), ...refuseEach(owning)]);
  // Of itself, or of its group; not of all that the person runs.
  when("setpriority", [...unlessNothing(1), argument(0), jump(equals, 2, 0, 1), refuse(errors.notPermitted)]);
  when("ioprio_set", [...unlessNothing(1), argument(0), jump(equals, 3, 0, 1), refuse(errors.notPermitted)]);
  when("prlimit64", unlessNothing(0));
  program.push(allow);
  return Buffer.concat(program.map(asBytes));
}

/** Calls that no namespace holds apart: the kernel's keys, its own programs and measurements, and what has often been its weak spot. */
const leftOver = [
  ...["keyctl", "add_key", "request_key", "bpf", "perf_event_open", "userfaultfd"],
  ...["io_uring_setup", "io_uring_enter", "io_uring_register"],
];
/** To the machine that a virtual machine runs on. */
const vsock = 40;

/** For programs that are kept apart by namespaces: only what those do not cover. */
export function leftOverFilter(processor: Processor): Buffer {
  const column = processor === "x64" ? 0 : 1;
  const calls = Object.entries(refused).flatMap(([error, each]) =>
    Object.entries(each).flatMap(([name, numbers]) =>
      leftOver.includes(name) ? [jump(equals, numbers[column]!, 0, 1), refuse(Number(error))] : [],
    ),
  );
  const when = (name: keyof typeof looked, checks: Instruction[]): Instruction[] => [
    jump(equals, looked[name][column], 0, checks.length + 1),
    ...checks,
    allow,
  ];
  const program = [
    ...beginning(processor),
    ...calls,
    ...when("socket", [argument(0), jump(equals, vsock, 0, 1), refuse(errors.noFamily)]),
    ...when("ioctl", [argument(1), ...refuseEach([unwanted.typing, unwanted.console])]),
    allow,
  ];
  return Buffer.concat(program.map(asBytes));
}

/** Only calls by the numbers that are meant here; the number of the call is there for what comes next. */
const beginning = (processor: Processor): Instruction[] => [
  load(4),
  ...unlessIs(architectures[processor], [refuse(errors.unknown)]),
  load(0),
  ...(processor === "x64" ? [jump(atLeast, x32, 0, 1), refuse(errors.unknown)] : []),
];

/** A file that is opened for nothing can still be told things; devices understand more of them than they should. */
const openChecks = (flags: number, knowsCutting: boolean): Instruction[] => [
  argument(flags),
  and(access.mask | access.cut),
  jump(equals, access.none, 1, 0),
  jump(equals, access.none | access.cut, 0, 1),
  refuse(errors.denied),
  ...(knowsCutting ? [] : [jump(equals, access.cut, 0, 1), refuse(errors.denied)]),
];

/** Streams to this machine and between programs; nothing else. */
function socketChecks(network: boolean): Instruction[] {
  const streams = network
    ? [...kindOf(1), jump(equals, kinds.stream, 1, 0), refuse(errors.denied)]
    : [refuse(errors.denied)];
  const plainTcp = network ? [argument(2), jump(equals, 0, 2, 0), jump(equals, tcp, 1, 0), refuse(errors.denied)] : [];
  const between = [
    ...kindOf(1),
    ...[jump(equals, kinds.stream, 2, 0), jump(equals, kinds.sequence, 1, 0), refuse(errors.denied), allow],
  ];
  return [
    argument(0),
    jump(equals, families.unix, 0, between.length),
    ...between,
    jump(equals, families.inet, 2, 0),
    jump(equals, families.inet6, 1, 0),
    refuse(errors.noFamily),
    ...streams,
    ...plainTcp,
  ];
}

type Instruction = readonly [code: number, yes: number, no: number, value: number];

const [equals, atLeast, sets] = [0x15, 0x35, 0x45];
const load = (offset: number): Instruction => [0x20, 0, 0, offset];
/** The lower half, which is all of what is looked at here. */
const argument = (index: number): Instruction => load(16 + 8 * index);
const and = (mask: number): Instruction => [0x54, 0, 0, mask];
/** The kind of a socket, without what is said beside it. */
const kindOf = (index: number): Instruction[] => [argument(index), and(0xf)];
const jump = (code: number, value: number, yes: number, no: number): Instruction => [code, yes, no, value];
const verdict = (value: number): Instruction => [0x06, 0, 0, value];
const refuse = (error: number): Instruction => verdict(0x00050000 | error);
const allow = verdict(0x7fff0000);
/** Whoever stands beside decides. */
const tell = verdict(0x7fc00000);

const unlessIs = (value: number, checks: Instruction[]): Instruction[] => [
  jump(equals, value, checks.length, 0),
  ...checks,
];
const refuseEach = (values: readonly number[]): Instruction[] =>
  values.flatMap((value) => [jump(equals, value, 0, 1), refuse(errors.notPermitted)]);
const unlessNothing = (index: number): Instruction[] => [
  argument(index),
  ...unlessIs(0, [refuse(errors.notPermitted)]),
];
const ifSet = (index: number, flags: number, error: number): Instruction[] => [
  argument(index),
  jump(sets, flags, 0, 1),
  refuse(error),
];

function asBytes([code, yes, no, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(yes, 2);
  bytes.writeUInt8(no, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
