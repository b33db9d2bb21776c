// What is mounted to put up walls, as data, and how it is done: all of it by one small program where Perl is there, by a shell where not.

import { findTool } from "../find-tool.ts";
import { type Holder, quote } from "../layer/holder.ts";

export type Operation =
  /** What is at `from` is seen at `at`, too; `deep`: with what is mounted in it. */
  | { do: "bind"; from: string; at: string; deep?: boolean }
  /** Nothing can be written there any more. */
  | { do: "close"; at: string; flags: readonly string[] }
  | { do: "mount"; type: string; at: string; flags?: readonly string[]; data?: string }
  | { do: "detach" | "folder" | "file"; at: string }
  | { do: "link"; to: string; at: string }
  /** Processes inside can speak with each other over the network. */
  | { do: "loopback"; at: "lo" };

export interface Step {
  operation: Operation;
  /** Whether there is no sandbox without it. */
  needed: boolean;
  /** What does as well, where the place is there at all; without both there is no sandbox. */
  otherwise?: Operation;
}

export const must = (operation: Operation): Step => ({ operation, needed: true });
export const may = (operation: Operation): Step => ({ operation, needed: false });

/** Resolves with what could not be done, in words, or with undefined. */
export function carryOut(
  holder: Holder,
  steps: readonly Step[],
  perl: string | false = findTool("perl") ?? false,
): Promise<string | undefined> {
  const calls = callNumbers[process.arch];
  return perl && calls
    ? holder.run(perl, "-e", program, ...calls.map(String), ...steps.flatMap(asArguments))
    : holder.run("eval", steps.map(asWords).join(" && "));
}

/** What the kernel calls `mount` and `umount2`. */
const callNumbers: Partial<Record<string, readonly [number, number]>> = {
  x64: [165, 166],
  arm64: [40, 39],
  riscv64: [40, 39],
  loong64: [40, 39],
};

/** The kernel's numbers of what a mount may be. */
const flagNumbers: Record<string, number> = {
  ro: 1,
  nosuid: 2,
  nodev: 4,
  noexec: 8,
  remount: 0x20,
  noatime: 0x400,
  nodiratime: 0x800,
  bind: 0x1000,
  rec: 0x4000,
  relatime: 0x200000,
};

/** A program for each mount takes longer than all of them together. */
const program = `
my ($mount, $umount) = map { $_ + 0 } splice @ARGV, 0, 2;
sub act {
  my ($what, $from, $at, $type, $flags, $data) = @_;
  return !syscall($mount, $from, $at, $type, $flags + 0, $data) if $what eq "mount";
  return !syscall($umount, $at, 2) if $what eq "detach";
  return symlink $from, $at if $what eq "link";
  return open(FILE, ">", $at) && close(FILE) if $what eq "file";
  if ($what eq "folder") {
    my $path = "";
    for (grep { length } split m{/}, $at) { $path .= "/$_"; -d $path or mkdir $path or return 0 }
    return 1;
  }
  return socket(SOCKET, 2, 2, 0) && ioctl(SOCKET, 0x8914, pack("a16 s x22", $at, 0x41));
}
while (my ($mode, @step) = splice @ARGV, 0, 7) {
  my @other = $mode eq "or" ? splice @ARGV, 0, 7 : ();
  next if act(@step) or $mode eq "may" or @other && (!-e $step[2] or act(@other[1 .. 6]));
  print STDERR "mount: $step[2]: $!\\n";
  exit 1;
}`
  // The holder reads a line at a time.
  .replaceAll("\n", " ");

function asArguments({ operation, needed, otherwise }: Step): string[] {
  const mode = otherwise ? "or" : needed ? "must" : "may";
  return [mode, ...asCall(operation), ...(otherwise ? ["must", ...asCall(otherwise)] : [])];
}

/** What, from where, at, of which type, with which flags, and what its file system must know. */
function asCall(operation: Operation): string[] {
  const flagsOf = (...names: string[]): string => String(names.reduce((sum, name) => sum | flagNumbers[name]!, 0));
  const { at } = operation;
  switch (operation.do) {
    case "bind":
      return ["mount", operation.from, at, "", operation.deep ? flagsOf("bind", "rec") : flagsOf("bind"), ""];
    case "close":
      return ["mount", "", at, "", flagsOf("remount", "bind", "ro", ...operation.flags), ""];
    case "mount":
      return ["mount", operation.type, at, operation.type, flagsOf(...(operation.flags ?? [])), operation.data ?? ""];
    case "link":
      return ["link", operation.to, at, "", "", ""];
    default:
      return [operation.do, "", at, "", "", ""];
  }
}

/** For a shell, which goes on as long as nothing fails that is needed. */
function asWords({ operation, needed, otherwise }: Step): string {
  const words = asCommand(operation).map(quote).join(" ");
  if (otherwise)
    return `{ ${words} 2>/dev/null || [ ! -e ${quote(operation.at)} ] || ${asCommand(otherwise).map(quote).join(" ")}; }`;
  return needed ? words : `{ ${words} 2>/dev/null || :; }`;
}

function asCommand(operation: Operation): string[] {
  const { at } = operation;
  switch (operation.do) {
    case "bind":
      return ["mount", operation.deep ? "--rbind" : "--bind", operation.from, at];
    case "close":
      return ["mount", "-o", ["remount", "bind", "ro", ...operation.flags].join(","), at];
    case "mount": {
      const options = [...(operation.flags ?? []), ...(operation.data ? [operation.data] : [])].join(",");
      return ["mount", "-t", operation.type, ...(options ? ["-o", options] : []), operation.type, at];
    }
    case "detach":
      return ["umount", "-l", at];
    case "folder":
      return ["mkdir", "-p", at];
    case "file":
      return ["eval", `: > ${quote(at)}`];
    case "link":
      return ["ln", "-s", operation.to, at];
    case "loopback":
      return ["ip", "link", "set", at, "up"];
  }
}
