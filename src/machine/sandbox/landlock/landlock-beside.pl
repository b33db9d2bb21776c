# What the process does that stands beside a program: the kernel hands it calls that rules cannot judge. It is read behind
# landlock-launch.pl, as one text.

# Calls about a file that are done here: what each does, and where its arguments are. `at` is the folder that the path
# starts from, or without a path the file itself.
my %calls = (
    x64 => {
        90  => { does => 'mode',  path => 0, mode => 1 },
        91  => { does => 'mode',  at   => 0, mode => 1 },
        268 => { does => 'mode',  at   => 0, path => 1, mode => 2 },
        452 => { does => 'mode',  at   => 0, path => 1, mode => 2, flags => 3 },
        92  => { does => 'owner', path => 0, owner => 1 },
        93  => { does => 'owner', at   => 0, owner => 1 },
        94  => { does => 'owner', path => 0, owner => 1, link => 1 },
        260 => { does => 'owner', at   => 0, path => 1, owner => 2, flags => 4 },
        280 => { does => 'times', at   => 0, path => 1, times => 2, flags => 3 },
    },
    arm64 => {
        52  => { does => 'mode',  at => 0, mode => 1 },
        53  => { does => 'mode',  at => 0, path => 1, mode => 2 },
        452 => { does => 'mode',  at => 0, path => 1, mode => 2, flags => 3 },
        55  => { does => 'owner', at => 0, owner => 1 },
        54  => { does => 'owner', at => 0, path => 1, owner => 2, flags => 4 },
        88  => { does => 'times', at => 0, path => 1, times => 2, flags => 3 },
    },
);
# Calls that send a signal, by what their first argument is.
my %signals = (
    x64   => { 62  => 'process', 200 => 'thread', 234 => 'process', 129 => 'process', 297 => 'process' },
    arm64 => { 129 => 'process', 130 => 'thread', 131 => 'process', 138 => 'process', 240 => 'process' },
);

sub serve {
    my ($child, $listener, $tells) = @_;
    my $ended = syscall($pidfd_open, $child, 0);
    $SIG{CHLD} = sub { };
    $SIG{$_} = 'IGNORE' for 'PIPE', 'HUP', 'INT', 'TERM';
    while (1) {
        my $watched = '';
        vec($watched, $_, 1) = 1 for grep { defined && $_ >= 0 } $listener, $ended;
        my $ready = select my $found = $watched, undef, undef, $ended < 0 ? 1 : undef;
        my ($gone, $status);
        while (($gone = waitpid -1, 1) > 0) { $status = $? if $gone == $child }
        if (defined $status) {
            syswrite $tells, pack 'lC', $status, $gone < 0 ? 0 : 1;
            close $tells;
            syscall($number->{close}, $ended) if $ended >= 0;
            $ended = -1;
        }
        exit if $gone < 0;    # Nobody is left.
        answer($listener) if $ready > 0 && defined $listener && vec $found, $listener, 1;
    }
}

sub leave {
    my ($status) = @_;
    my $signal = $status & 127;
    exit $status >> 8 if !$signal;
    $SIG{$_} = 'DEFAULT' for 'PIPE', 'HUP', 'INT', 'TERM';
    kill $signal, $$;
    exit 128 + $signal;
}

# One call that the program waits for. What it points to is read here, once: what it says afterwards does not matter.
sub answer {
    my ($listener) = @_;
    my $asked = "\0" x 80;
    return if syscall($number->{ioctl}, $listener, 0xC0502100, $asked) < 0;
    my ($id, $pid, undef, $call, undef, undef, @given) = unpack 'QLLlLQQQQQQQ', $asked;
    if (my $target = $signals{$machine}{$call}) {
        my $problem = eval { signal_problem($pid, $target, @given) };
        return reply($listener, $id, $problem // 1, 1);
    }
    if ($call != $number->{connect}) {
        my $problem = eval { change($listener, $id, $pid, $calls{$machine}{$call}, @given) };
        return reply($listener, $id, $problem // 1);
    }
    my ($file, $at, $length) = @given;
    my $address = read_memory($pid, $at, $length > 128 ? 128 : $length);
    my $flags = 0;
    if (open my $facts, '<', "/proc/$pid/fdinfo/$file") {
        while (<$facts>) { $flags = oct $1 if /^flags:\s*(\d+)/ }
    }
    my $folder = readlink "/proc/$pid/cwd";
    return if !is_waiting($listener, $id);
    return reply($listener, $id, 14) if !$address || length $address < 2;
    # The person may be asked: nobody else waits for that.
    my $hand = fork();
    return if $hand;
    $SIG{CHLD} = 'DEFAULT';
    my ($socket, $problem) = eval { connected($listener, $id, $address, $folder) };
    $problem = 1 if $@;
    if (!$problem) {
        fcntl $socket, 4, (fcntl($socket, 3, 0) + 0) | 0x800 if $flags & 0x800;
        my $close = $flags & 02000000 ? 02000000 : 0;
        my $handed = pack 'QLLLL', $id, 1, fileno $socket, $file, $close;
        $problem = 9 if syscall($number->{ioctl}, $listener, 0x40182103, $handed) < 0;
    }
    reply($listener, $id, $problem);
    exit;
}

# Whether nobody else has its number meanwhile.
sub is_waiting {
    my ($listener, $id) = @_;
    my $key = pack 'Q', $id;
    return syscall($number->{ioctl}, $listener, 0x40082102, $key) >= 0;
}

# Permissions, owner and times of a file: changed here, if the file lies where the program may write. It is held meanwhile.
sub change {
    my ($listener, $id, $pid, $call, @given) = @_;
    return 38 if !$call;
    my $flags = defined $call->{flags} ? $given[$call->{flags}] & 0xffffffff : 0;
    my $links = $call->{link} || $flags & 0x100;
    my $name = '';
    if (defined $call->{path} && $given[$call->{path}]) {
        $name = read_memory($pid, $given[$call->{path}], 4096) // return 14;
        $name =~ s/\0.*//s or return 36;
        return 2 if $name eq '' && !($flags & 0x1000);
    }
    my $times = '';
    if (defined $call->{times} && $given[$call->{times}]) {
        $times = read_memory($pid, $given[$call->{times}], 16 + 16) // return 14;
        return 14 if length($times = substr $times, 0, 32) < 32;
    }
    my $at = defined $call->{at} ? unpack 'l', pack 'L', $given[$call->{at}] & 0xffffffff : -100;
    my $base = $at == -100 ? "/proc/$pid/cwd" : "/proc/$pid/fd/$at";
    $name =~ s{^/proc/(self|thread-self)(?=/|$)}{/proc/$pid};
    my $place = $name eq '' ? $base : $name =~ m{^/} ? $name : "$base/$name";
    my $nofollow = $machine eq 'x64' ? 0x20000 : 0x8000;
    my $held = syscall($number->{openat}, -100, "$place\0", 0x280000 | ($links && $name ne '' ? $nofollow : 0), 0);
    return $! + 0 if $held < 0;
    my $problem = !is_waiting($listener, $id) ? 3 : !is_ours($pid) || !may_change($held) ? 13 : 0;
    $problem ||= done($held, $call, \@given, $times, $links);
    syscall($number->{close}, $held);
    return $problem;
}

sub done {
    my ($held, $call, $given, $times, $links) = @_;
    my ($itself, $none) = ("/proc/self/fd/$held\0", "\0");
    my $result;
    if ($call->{does} eq 'mode') {
        return 95 if $links;
        $result = syscall($number->{fchmodat}, -100, $itself, $given->[$call->{mode}] & 07777);
    }
    elsif ($call->{does} eq 'owner') {
        my ($user, $group) = map { unpack 'l', pack 'L', $_ & 0xffffffff } @$given[$call->{owner}, $call->{owner} + 1];
        $result = syscall($number->{fchownat}, $held, $none, $user, $group, 0x1000);
    }
    else {
        $result = syscall($number->{utimensat}, $links ? ($held, $none) : (-100, $itself), $times ne '' ? $times : 0,
            $links ? 0x1000 : 0);
    }
    return $result < 0 ? $! + 0 : 0;
}

# Signals go to itself, and to what is held back as well.
sub signal_problem {
    my ($pid, $kind, $given) = @_;
    my $to = unpack 'l', pack 'L', $given & 0xffffffff;
    return 0 if $to == 0;
    return 1 if $to == -1;
    $to = process_of($to) // return 3 if $kind eq 'thread';
    return 0 if $to == (process_of($pid) // 0);
    my $inside = inside();
    return $inside->{$to} ? 0 : 1 if $to > 0;
    my @members = grep { (fields_of($_))[2] == -$to } all_processes();
    return !@members ? 3 : (grep { !$inside->{$_} } @members) ? 1 : 0;
}

sub process_of {
    my ($thread) = @_;
    open my $facts, '<', "/proc/$thread/status" or return undef;
    while (<$facts>) { return $1 if /^Tgid:\s+(\d+)/ }
    return undef;
}

# Of somebody else than who this process is, nothing is done in their name.
sub is_ours {
    my ($pid) = @_;
    open my $facts, '<', "/proc/$pid/status" or return 0;
    while (<$facts>) { return $1 == $> && $2 == $> if /^Uid:\s+\d+\s+(\d+)\s+\d+\s+(\d+)/ }
    return 0;
}

# What is in no folder is nobody else's.
sub may_change {
    my ($held) = @_;
    my $path = readlink "/proc/self/fd/$held";
    return 0 if !defined $path;
    return 1 if $path =~ m{^(?:pipe|socket|anon_inode|/memfd):};
    return grep { $path eq $_ || index($path, "$_/") == 0 } @changeable;
}

sub reply {
    my ($listener, $id, $problem, $goes_on) = @_;
    # Where nothing is pointed to, the call itself may go on.
    my $response = pack 'QqlL', $id, 0, -$problem, !$problem && $goes_on ? 1 : 0;
    syscall($number->{ioctl}, $listener, 0xC0182101, $response);
}

# As much of it as there is.
sub read_memory {
    my ($pid, $at, $length) = @_;
    open my $memory, '<:raw', "/proc/$pid/mem" or return undef;
    my $bytes = '';
    # What is asked for may end with the page it lies in.
    while ($length > 0) {
        my $piece = 4096 - $at % 4096;
        $piece = $length if $length < $piece;
        sysseek $memory, $at, 0 or last;
        my $read = sysread($memory, $bytes, $piece, length $bytes) or last;
        ($at, $length) = ($at + $read, $length - $read);
    }
    return $bytes eq '' ? undef : $bytes;
}

# A socket that leads there, or the number of an error.
sub connected {
    my ($listener, $id, $address, $folder) = @_;
    my $family = unpack 'S', $address;
    return (undef, 97) if $family != 1 && $family != 2 && $family != 10;
    return beside($address, $folder) if $family == 1;
    my ($port, $host) = $family == 2 ? unpack 'x2na4', $address : unpack 'x2nx4a16', $address;
    return (undef, 22) if !defined $host || length $host < ($family == 2 ? 4 : 16);
    return (undef, 101) if !$way || !is_here($host);
    socket(my $socket, 2, 1, 0) or return (undef, $! + 0);
    connect $socket, pack 'Sna4x8', 2, $way, "\x7f\0\0\1" or return (undef, $! + 0);
    return ($socket, 0) if $port == $way;
    # Any other place is asked for there.
    syswrite $socket, "CONNECT 127.0.0.1:$port HTTP/1.1\r\nProxy-Authorization: $words\r\n\r\n";
    my $said = '';
    while ($said !~ /\r\n\r\n/) {
        my $watched = '';
        vec($watched, fileno $socket, 1) = 1;
        my $ready = select my $found = $watched, undef, undef, 0.3;
        return (undef, 4) if !is_waiting($listener, $id);
        next if $ready <= 0;
        sysread $socket, $said, 1, length $said or return (undef, 111);
    }
    return $said =~ /^HTTP\/1\.1 200 / ? ($socket, 0) : (undef, $said =~ /^HTTP\/1\.1 403 / ? 13 : 111);
}

# Addresses of this machine only: 127.*, ::1, the same as IPv6, and what means "here".
sub is_here {
    my ($host) = @_;
    return 1 if $host eq "\0" x length $host;
    return $host =~ /^\x7f/ if length $host == 4;
    return $host eq "\0" x 15 . "\1" || $host =~ /^\0{10}\xff\xff\x7f/s;
}

# Sockets of programs that are held back as well, and of no others.
sub beside {
    my ($address, $folder) = @_;
    my $name = substr $address, 2;
    $name =~ s/\0.*//s if $name !~ /^\0/;
    return (undef, 22) if $name eq '';
    my @inodes = listeners($name, $folder) or return (undef, 111);
    my $inside = inside();
    my %owned = map { $_ => 1 } map { sockets_of($_) } keys %$inside;
    return (undef, 13) if grep { !$owned{$_} } @inodes;
    chdir $folder if defined $folder;
    socket(my $socket, 1, 1, 0) or return (undef, $! + 0);
    connect $socket, $address or return (undef, $! + 0);
    # Whoever has answered must be one of them, whatever lay there a moment ago.
    my ($peer) = unpack 'l', getsockopt($socket, 1, 17) // '';
    return (undef, 13) if !$peer || !$inside->{$peer};
    return ($socket, 0);
}

sub listeners {
    my ($name, $folder) = @_;
    my $place = $name =~ /^\0/ ? undef : place_of($name, $folder);
    (my $shown = $name) =~ tr/\0/@/;
    open my $table, '<', '/proc/net/unix' or return;
    my @found;
    while (my $line = <$table>) {
        my ($inode, $path) = $line =~ /^\S+ \S+ \S+ \S+ \S+ \S+\s+(\d+) (.+)$/ or next;
        my $same = !defined $place ? $path eq $shown : $path =~ m{^/} ? (place_of($path) // '') eq $place : $path !~ /^@/
            # Nobody knows where that one starts: then its last part decides, and in the end who answers.
            && last_of($path) eq last_of($name);
        # Whoever is connected has the same name; only one of them listens.
        push @found, $inode if $same && $line =~ /^\S+ \S+ \S+ 00010000 /;
    }
    return @found;
}

sub last_of { return (split m{/}, $_[0])[-1] // '' }

# What a path is, whichever way leads there.
sub place_of {
    my ($path, $folder) = @_;
    $path = ($folder // return undef) . "/$path" if $path !~ m{^/};
    my ($device, $inode) = stat $path;
    return defined $inode ? "$device $inode" : undef;
}

# Everything below the processes that stand beside a program, as this one does.
sub inside {
    my %parent = map { my $up = (fields_of($_))[1]; $up ? ($_ => $up) : () } all_processes();
    my %beside = map { $_ => 1 } grep { is_beside($_) } keys %parent;
    my %known;
    for my $pid (keys %parent) {
        my $at = $parent{$pid};
        $at = $parent{$at} while $at && !$beside{$at};
        $known{$pid} = 1 if $at;
    }
    return \%known;
}

sub all_processes {
    opendir my $all, '/proc' or return;
    return grep { /^\d+$/ } readdir $all;
}

# Its state, its parent and its group.
sub fields_of {
    open my $facts, '<', "/proc/$_[0]/stat" or return (0, 0, 0);
    return (<$facts> // '') =~ /.*\) (\S+) (\d+) (\d+)/s ? ($1, $2, $3) : (0, 0, 0);
}

sub is_beside {
    open my $file, '<', "/proc/$_[0]/cmdline" or return 0;
    return (<$file> // '') =~ /^\Q$0\E\0*$/;
}

sub sockets_of {
    my ($pid) = @_;
    opendir my $files, "/proc/$pid/fd" or return;
    return map { (readlink "/proc/$pid/fd/$_" // '') =~ /^socket:\[(\d+)\]$/ ? $1 : () } readdir $files;
}

main();
