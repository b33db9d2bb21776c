# Runs a program where nobody can make a namespace or a mount, as containers usually forbid it; and no Landlock, if that is said.
#
#   without-namespaces.pl [--without-landlock] PROGRAM [ARGUMENT]...
use strict;
use warnings;

my $machine = `uname -m`;
my ($seccomp, $prctl, %refused) =
    $machine =~ /x86_64/
    ? (317, 157, unshare => 272, setns => 308, mount => 165, umount => 166, pivot_root => 155, clone => 56)
    : (277, 167, unshare => 97, setns => 268, mount => 40, umount => 39, pivot_root => 41, clone => 220);

$refused{landlock} = 444 if $ARGV[0] eq '--without-landlock' && shift;

sub instruction { return pack 'SCCL', @_ }
my ($allow, $refuse, $unknown) = map { instruction(0x06, 0, 0, $_) } 0x7fff0000, 0x00050001, 0x00050026;
my $program = instruction(0x20, 0, 0, 0);
# Namespaces that a new process would have; clone3 says it where it cannot be read.
$program .= instruction(0x15, 0, 4, delete $refused{clone}) . instruction(0x20, 0, 0, 16)
    . instruction(0x45, 0, 1, 0x7e020000) . $refuse . $allow;
$program .= instruction(0x15, 0, 1, 435) . $unknown;
$program .= instruction(0x15, 0, 1, $_) . $refuse for values %refused;
$program .= $allow;

syscall($prctl, 38, 1, 0, 0, 0) == 0 or die "prctl: $!";
my $filters = pack 'SxxxxxxP', length($program) / 8, $program;
syscall($seccomp, 1, 0, $filters) == 0 or die "seccomp: $!";
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!";
