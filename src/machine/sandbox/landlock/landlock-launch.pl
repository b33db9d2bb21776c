# Starts a program that holds itself back: Landlock says which files it may touch, seccomp what it may ask of the kernel.
# What neither can judge by itself is done for the program by a process that stays beside it (landlock-beside.pl, which is read behind
# this), after a look at what it is.
#
#   MACHINE HANDLED SCOPED FILTER [RIGHTS PATH]... -- PROGRAM [ARGUMENT]...
use strict;
use warnings;
no warnings 'portable', 'exec';

my %numbers = (
    x64   => { openat => 257, close => 3,  prctl => 157, capget => 125, capset => 126, setsid => 112, seccomp => 317,
               ioctl => 16, sendmsg => 46, recvmsg => 47, connect => 42, fchmodat => 268, fchownat => 260,
               utimensat => 280 },
    arm64 => { openat => 56,  close => 57, prctl => 167, capget => 90,  capset => 91,  setsid => 157, seccomp => 277,
               ioctl => 29, sendmsg => 211, recvmsg => 212, connect => 203, fchmodat => 53, fchownat => 54,
               utimensat => 88 },
);
my ($create_ruleset, $add_rule, $restrict_self, $pidfd_open, $openat2) = (444, 445, 446, 434, 437);

if (($ARGV[0] // '') eq 'abi') {
    my $abi = syscall($create_ruleset, 0, 0, 1);
    print $abi > 0 ? $abi : "$!";
    exit;
}

my ($machine, $handled, $scoped, $filter, @rest) = @ARGV;
my $number = $numbers{$machine} or die "an unknown machine\n";
my @rules;
while (@rest && $rest[0] ne '--') { push @rules, [splice @rest, 0, 2] }
shift @rest;
# Folders in which things are made, and single files that may be written; a device is none.
my @changeable = map { $_->[1] } grep { $_->[0] & 0x100 || ($_->[0] & 2 && $_->[1] !~ m{^/dev/}) } @rules;
# Where our own way out is, and the words that open it.
my ($way, $words) = split / /, delete $ENV{_OI_WAY} // '', 2;

# What only this process may be led by comes back for the program.
for (keys %ENV) { $ENV{$1} = delete $ENV{$_} if /^_OI_WAS_(.*)/s }

# One process only waits, and ends as the program does. The one beside stays as long as there is anything of the program.
sub main {
    my $host = getppid;
    pipe(my $status, my $tells) or die "pipe: $!\n";
    my $beside = fork() // die "fork: $!\n";
    if ($beside) {
        $0 = 'interpreter: waits for a session';
        close_all(fileno $status);
        sysread $status, my $said, 5;
        my ($ended, $stays) = $said ? unpack 'lC', $said : (256, 0);
        waitpid $beside, 0 if !$stays;
        leave($ended);
    }
    prctl(36, 1);    # What loses its parent stays below this process: it is known as ours by that.
    socketpair(my $ours, my $theirs, 1, 1, 0) or die "socketpair: $!\n";
    my $child = fork() // die "fork: $!\n";
    if (!$child) {
        close $_ for $ours, $status, $tells;
        prctl(1, 9);    # It does not outlive this process.
        syscall($number->{setsid});
        my $listener = hold_back();
        send_number(fileno($theirs), $listener);
        syscall($number->{close}, $listener);
        close $theirs;
        start();
    }
    $0 = "interpreter: beside a session of $host";    # By this it is known, here and in our own process.
    close_all(fileno $ours, fileno $tells);
    serve($child, receive_number(fileno $ours), $tells);
}

sub close_all {
    my %kept = map { $_ => 1 } @_;
    syscall($number->{close}, $_) for grep { !$kept{$_} } 0 .. 63;
}

sub start {
    { exec { $rest[0] } @rest; }
    print STDERR "$rest[0]: $!\n";
    exit 127;
}

sub hold_back {
    must('no new privileges', prctl(38, 1));
    weaken();
    my $attributes = pack 'QQQ', $handled, 0, $scoped;
    my $size = $scoped ? 24 : 8;
    my $rules = must('a set of rules', syscall($create_ruleset, $attributes, $size, 0));
    for (@rules) {
        my ($rights, $path) = @$_;
        my $at = place($path);
        next if $at < 0;    # Gone meanwhile.
        my $rule = pack 'Ql', $rights, $at;
        must("a rule for $path", syscall($add_rule, $rules, 1, $rule, 0));
        syscall($number->{close}, $at);
    }
    must('Landlock', syscall($restrict_self, $rules, 0));
    syscall($number->{close}, $rules);
    my $program = pack 'H*', $filter;
    my $filters = pack 'SxxxxxxP', length($program) / 8, $program;
    # Waiting for an answer is not ended by signals that a program handles, where the kernel knows how.
    my $listener = syscall($number->{seccomp}, 1, 0x28, $filters);
    return $listener >= 0 ? $listener : must('seccomp', syscall($number->{seccomp}, 1, 8, $filters));
}

# Held as a place only (O_PATH, O_NOFOLLOW, O_CLOEXEC), and without links on the way, should code have put one there.
sub place {
    my ($path) = @_;
    my $flags = $machine eq 'x64' ? 0x2a0000 : 0x288000;
    my $how = pack 'QQQ', $flags, 0, 4;
    my $at = syscall($openat2, -100, "$path\0", $how, 24);
    return $at if $at >= 0 || ($! != 38 && $! != 1);    # Some systems do not allow this way of asking.
    return syscall($number->{openat}, -100, "$path\0", $flags, 0);
}

# What an administrator needs to work with files, and nothing else.
sub weaken {
    prctl(47, 4);
    return if $>;
    my $kept = 0;
    $kept |= 1 << $_ for 0, 1, 3, 4, 5, 6, 7, 10;
    prctl(24, $_) for grep { !($kept >> $_ & 1) } 0 .. 63;
    my $header = pack 'LL', 0x20080522, 0;
    my $now = "\0" x 24;
    must('capget', syscall($number->{capget}, $header, $now));
    my $rights = $kept & (unpack 'LLL', $now)[1];
    $header = pack 'LL', 0x20080522, 0;
    my $then = pack 'LLLLLL', $rights, $rights, 0, 0, 0, 0;
    must('capset', syscall($number->{capset}, $header, $then));
}

sub prctl { return syscall($number->{prctl}, $_[0] + 0, $_[1] + 0, 0, 0, 0) }

sub must {
    my ($what, $result) = @_;
    return $result if $result >= 0;
    print STDERR "The program could not be held back ($what: $!).\n";
    exit 126;
}

# --- A number of an open file, from one process to the other ---

sub message {
    my ($data, $control) = @_;
    my $part = pack 'PQ', $$data, 1;
    return (pack('QQPQPQQ', 0, 0, $part, 1, $$control, 24, 0), \$part);
}

sub send_number {
    my ($to, $file) = @_;
    my ($data, $control) = ('x', pack 'QllLx4', 20, 1, 1, $file);
    my ($message, $kept) = message(\$data, \$control);
    must('sendmsg', syscall($number->{sendmsg}, $to, $message, 0));
}

sub receive_number {
    my ($from) = @_;
    my ($data, $control) = ('x', "\0" x 24);
    my ($message, $kept) = message(\$data, \$control);
    # Nothing comes where the program could not be held back.
    return undef if syscall($number->{recvmsg}, $from, $message, 0) <= 0;
    return (unpack 'QllL', $control)[3];
}
