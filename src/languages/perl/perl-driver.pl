# Runs blocks of Perl in one long-lived process and tells the host what happens.
#
# Commands come on descriptor 3 (see plain-command.ts), events go out on descriptor 4, one JSON object a line. An event
# that must keep its place in the output carries a mark, and the same mark is written to stdout and stderr first.
#
# `my` variables stay from block to block: each block ends with a loop that evaluates the next ones, so that they stand
# inside its scope. When a block fails, the loop of the one before goes on, and only what the failed one made is gone.

package OpenInterpreterDriver;

our ($nonce, $marks, $asked, $id, $name, $code, $running, $telling, $stopped, $buffer) = ('', 0, 0, 0, '', '', 0, 0, 0, '');
our $pid = $$;

open our $commands, '<&=', 3 or exit 1;
open our $events, '>&=', 4 or exit 1;
open our $out, '>&', \*STDOUT or exit 1;
open our $err, '>&', \*STDERR or exit 1;
binmode $_ for $commands, $events, $out, $err;
select((select($_), $| = 1)[0]) for $events, $out, $err, \*STDERR, \*STDOUT;
tie *STDIN, 'OpenInterpreterDriver::Input';
@ARGV = ();
$0 = 'perl';
our $stop = sub {
  return unless $running && $$ == $pid;
  if ($telling) { $stopped = 1 } else { die bless({}, 'OpenInterpreterDriver::Interrupt') }
};

# The end of every block: here the next one finds its variables. Kept on one line, and away from the block's own lines.
our $loop = "\n;OpenInterpreterDriver::finished();\n#line 1 \"driver\"\n"
  . 'while (OpenInterpreterDriver::next_block()) { eval $OpenInterpreterDriver::code; OpenInterpreterDriver::ended($@) } 1';

sub next_block {
  ended('') if $id; # it left with `next`
  untie_block();
  while (defined(my $line = take_line())) {
    my ($op, $first, $bytes, $rest) = split / /, $line, 4;
    if ($op eq 'nonce') {
      $nonce = $first;
      tell_host(sprintf '{"op":"ready","version":"%vd"}', $^V);
    } elsif ($op eq 'run') {
      ($id, $name) = ($first, $rest);
      my $text = take($bytes);
      utf8::decode($text) if $text =~ /[\x80-\xff]/ && $text =~ /^\s*use utf8/m;
      $code = "package main;\n#line 1 \"$name\"\n" . showing($text) . $loop;
      $SIG{INT} = $stop;
      $running = 1;
      return 1;
    }
  }
  POSIX::_exit(0) if defined &POSIX::_exit;
  exit 0;
}

# The block came to its end: what follows in the same evaluation is the loop for the next one.
sub finished {
  $running = 0;
  leave_child();
  place(qq("op":"end","id":$id,"status":"ok")) if $id;
  $id = 0;
}

# The evaluation itself ended: the block failed, or it left early with `return` or `last`.
sub ended {
  my ($error) = @_;
  $running = 0;
  leave_child();
  return unless $id;
  my $status = 'ok';
  if (ref $error eq 'OpenInterpreterDriver::Interrupt') {
    $status = 'interrupted';
    place('"op":"error","name":"Interrupt","message":"","traceback":"Interrupted\\n"');
  } elsif (defined $error && (ref $error || $error ne '')) {
    $status = 'error';
    my $text = ref $error && !overloaded($error) ? dumped($error) : "$error";
    $text .= "\n" unless $text =~ /\n\z/;
    (my $message = $text) =~ s/ at \Q$name\E line \d+\.\n\z//;
    $message =~ s/\n\z//;
    my $kind = ref $error || 'die';
    place(sprintf '"op":"error","name":%s,"message":%s,"traceback":%s', json($kind), json($message), json($text));
  }
  place(qq("op":"end","id":$id,"status":"$status"));
  $id = 0;
}

sub leave_child { if ($$ != $pid) { require POSIX; POSIX::_exit(0) } }

sub untie_block { $SIG{INT} = 'IGNORE'; $running = 0; $@ = '' }

# A last line that is an expression without a semicolon is shown.
sub showing {
  my ($text) = @_;
  return $text unless $text =~ /\A(.*?)([^\n]+?)(\s*(?:#[^\n]*)?)\s*\z/s;
  my ($before, $last) = ($1, $2);
  if ($last =~ /\A(.*;)([^;'"]*(?:"[^";]*"|'[^';]*')?[^;'"]*)\z/) { ($before, $last) = ("$before$1", $2) }
  return $text if $last =~ /[;{},]\s*\z/ || $last =~ /^\s*(?:#|=\w)/ || $before =~ /<<|^=\w|^__(?:END|DATA)__/m;
  return $text unless $before =~ /(?:\A|[;}]|^\s*#[^\n]*)\s*\z/m;
  return $text unless $last =~ /^\s*(?:[\$\@%\\(\["'\d-]|[A-Za-z_][\w:]*(?:\s*\(|->|\s+[\$\@%"'\\]))/;
  return $text if $last =~ /^\s*(?:print|printf|say|my|our|local|state|use|no|require|sub|package|return|die|warn|exit|if|unless|for|foreach|while|until|push|unshift|chomp|open|close|binmode|mkdir|unlink|sleep|select)\b/;
  return $text if $last =~ /^[^=]*[^=!<>~]=[^=~>]/ || $last =~ /;/;
  return "$before OpenInterpreterDriver::show($last)";
}

sub show {
  my @values = @_;
  return unless @values;
  my $text = join "\n", map { !defined $_ ? 'undef' : ref $_ ? dumped($_) : $_ } @values;
  $text = join ', ', map { defined $_ ? ref $_ ? dumped($_) : $_ : 'undef' } @values if @values > 1 && !grep { ref } @values;
  $text = substr($text, 0, 500_000) . "\n...\n" . substr($text, -500_000) if length $text > 1_000_000;
  place(sprintf '"op":"display","bundle":{"text/plain":%s}', json($text));
}

sub dumped {
  require Data::Dumper;
  no warnings 'once';
  local ($Data::Dumper::Terse, $Data::Dumper::Indent, $Data::Dumper::Sortkeys) = (1, 1, 1);
  my $text = Data::Dumper::Dumper($_[0]);
  $text =~ s/\n\z//;
  return $text;
}

sub overloaded { require overload; return overload::Method($_[0], '""') }

sub ask {
  my ($prompt) = @_;
  die "a child process cannot ask for input\n" if $$ != $pid;
  my $number = ++$asked;
  place(sprintf '"op":"ask","id":%d,"prompt":%s,"hidden":false', $number, json($prompt));
  while (defined(my $line = take_line())) {
    my ($op, $for, $bytes) = split ' ', $line;
    next unless $op eq 'answer';
    my $text = $bytes eq '-' ? undef : take($bytes);
    return $text if $for == $number; # not of a question that was interrupted
  }
  exit 0;
}

# Read without Perl's own means, which would add "<$commands> line 3" to every message of a block.
sub more { return sysread $commands, $buffer, 65536, length $buffer }

sub take_line {
  while ((my $end = index $buffer, "\n") < 0) { return undef unless more() }
  my $line = substr $buffer, 0, index($buffer, "\n") + 1, '';
  chomp $line;
  return $line;
}

sub take {
  my ($bytes) = @_;
  while (length $buffer < $bytes) { exit 0 unless more() }
  return substr $buffer, 0, $bytes, '';
}

# Sends an event that keeps its place between what was printed before and after it.
sub place {
  my ($fields) = @_;
  return if $$ != $pid;
  local ($\, $,, $!, $@);
  $telling = 1; # an interrupt waits until all of it is written
  $marks++;
  print {$_} "\x1e$nonce:$marks\x1e" for $out, $err;
  tell_host(qq({$fields,"mark":$marks}));
  $telling = 0;
  if ($stopped) { $stopped = 0; $stop->() }
}

sub tell_host { local ($\, $,); print {$events} "\n$_[0]\n" }

sub json {
  my ($text) = @_;
  utf8::encode($text) if utf8::is_utf8($text);
  $text =~ s/([\x00-\x1f"\\])/sprintf '\\u%04x', ord $1/ge;
  return qq("$text");
}

# STDIN: every line read from it is asked of the person.
package OpenInterpreterDriver::Input;
sub TIEHANDLE { return bless {}, shift }
sub READLINE {
  my $text = OpenInterpreterDriver::ask('');
  die "input was asked for, but nobody is here to answer. Put the value into the code instead.\n" unless defined $text;
  return "$text\n";
}
sub GETC { return substr READLINE(), 0, 1 }
sub READ { my $text = READLINE(); $_[1] = substr $text, 0, $_[2]; return length $_[1] }
sub EOF { return 0 }
sub FILENO { return 0 }
sub BINMODE { return 1 }
sub CLOSE { return 1 }

package main;

# The first loop; every block nests one more. It ends only with the process.
OpenInterpreterDriver::untie_block();
while (1) {
  while (OpenInterpreterDriver::next_block()) { eval $OpenInterpreterDriver::code; OpenInterpreterDriver::ended($@) }
}
