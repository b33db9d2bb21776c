// Starts a program within namespaces so that it cannot ask the kernel for what no namespace covers: a small program in front of it
// puts a filter on and becomes it.

import { existsSync } from "node:fs";
import { leftOverFilter, type Processor, processors } from "./landlock/filter.ts";

/** The system's own: one that is found on the way may be a script that takes its time. */
const perl = "/usr/bin/perl";

/** What the kernel calls `setsid`, `prctl` and `seccomp`. */
const calls: Record<Processor, readonly number[]> = { x64: [112, 157, 317], arm64: [157, 167, 277] };

const program = `my ($setsid, $prctl, $seccomp, $filter) = splice @ARGV, 0, 4;
delete $ENV{PERL_BADLANG};
syscall($setsid + 0);
my $bytes = pack "H*", $filter;
my $list = pack "Sx6P", length($bytes) / 8, $bytes;
syscall($prctl + 0, 38, 1, 0, 0, 0);
syscall($seccomp + 0, 1, 0, $list);
{ exec { $ARGV[0] } @ARGV }
print STDERR "$ARGV[0]: $!\\n";
exit 127`;

/** What is written in front of a program, in the place of `setsid`; undefined where there is no Perl. */
export function filterWords(): string[] | undefined {
  if (!processors.includes(process.arch) || !existsSync(perl)) return undefined;
  const processor = process.arch as Processor;
  return [perl, "-e", program, ...calls[processor].map(String), leftOverFilter(processor).toString("hex")];
}

/** It says nothing about a language that the system does not have. */
export const filterEnv = { PERL_BADLANG: "0" };
