<?php
// Runs blocks of PHP in one long-lived process and tells the host what happens.
//
// Commands come on descriptor 3 (see plain-command.ts), events go out on descriptor 4, one JSON object a line. An event
// that must keep its place in the output carries a mark, and the same mark is written to stdout and stderr first.
// The loop at the end stands outside of every function, so that the variables of a block are global, as in a script.

final class OpenInterpreterInterrupt extends Error {}

final class OpenInterpreterDriver
{
    public static string $code = '';
    private static $commands;
    private static $events;
    private static array $streams = [];
    private static string $nonce = '';
    private static int $marks = 0;
    private static int $id = 0;
    private static string $name = '';
    private static int $process = 0;
    private static bool $running = false;
    private static bool $telling = false;
    private static bool $stopped = false;

    public static function open(): void
    {
        error_reporting(E_ALL);
        set_time_limit(0);
        while (ob_get_level() > 0) ob_end_flush();
        self::$commands = fopen('php://fd/3', 'rb');
        self::$events = fopen('php://fd/4', 'wb');
        self::$streams = [fopen('php://fd/1', 'wb'), fopen('php://fd/2', 'wb')];
        self::$process = getmypid();
        set_error_handler([self::class, 'warn']);
        if (function_exists('pcntl_async_signals')) {
            pcntl_async_signals(true);
            pcntl_signal(SIGINT, [self::class, 'interrupt']);
        }
    }

    /** PHP would name our file as the place of a warning. */
    public static function warn(int $level, string $message, string $file, int $line): bool
    {
        if (!str_starts_with($file, __FILE__)) return false;
        if (error_reporting() & $level) {
            $kind = match ($level) {
                E_NOTICE, E_USER_NOTICE => 'Notice',
                E_DEPRECATED, E_USER_DEPRECATED => 'Deprecated',
                default => 'Warning',
            };
            self::write(self::$streams[1], "$kind: $message in " . self::$name . " on line $line\n");
        }
        return true;
    }

    public static function interrupt(): void
    {
        if (!self::$running || getmypid() !== self::$process) return;
        if (self::$telling) self::$stopped = true;
        else throw new OpenInterpreterInterrupt('interrupted');
    }

    /** Waits for the next block. */
    public static function next(): bool
    {
        if (getmypid() !== self::$process) exit(0); // a child that a block forked
        while (($line = fgets(self::$commands)) !== false) {
            $word = explode(' ', rtrim($line, "\n"), 4);
            if ($word[0] === 'nonce') {
                self::$nonce = $word[1];
                self::send(['op' => 'ready', 'version' => PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION . '.' . PHP_RELEASE_VERSION]);
            } elseif ($word[0] === 'run') {
                [, $id, $bytes, self::$name] = $word;
                self::$id = (int) $id;
                $code = '';
                while (strlen($code) < (int) $bytes) $code .= fread(self::$commands, (int) $bytes - strlen($code));
                self::$code = $code;
                self::$running = true;
                return true;
            }
        }
        return false;
    }

    /** The block as it can be evaluated: without its tags, and with its last expression shown. */
    public static function prepared(): string
    {
        $code = preg_replace('/\A\s*<\?(php\b|(?!=))/', '', self::$code, 1, $opened);
        $code = preg_replace('/\?>\s*\z/', '', $code);
        if (!$opened && preg_match('/\A\s*<(?!\?)/', $code)) return '?>' . $code; // a page with PHP inside
        if (!function_exists('token_get_all')) return $code;
        $tokens = token_get_all('<?php ' . $code);
        array_shift($tokens);
        self::refuseDoubles($tokens);
        return self::showing($code, $tokens);
    }

    /** A second definition of a function or class would end PHP itself, with everything in it. */
    private static function refuseDoubles(array $tokens): void
    {
        $depth = 0;
        $namespace = false;
        foreach ($tokens as $index => $token) {
            if ($token === '{' || is_array($token) && in_array($token[0], [T_CURLY_OPEN, T_DOLLAR_OPEN_CURLY_BRACES])) $depth++;
            if ($token === '}') $depth--;
            if (!is_array($token) || $depth > 0) continue;
            if ($token[0] === T_NAMESPACE) $namespace = true;
            $next = $tokens[$index + 2] ?? null;
            if ($namespace || !is_array($next) || $next[0] !== T_STRING) continue;
            $exists = match ($token[0]) {
                T_FUNCTION => function_exists($next[1]),
                T_CLASS, T_INTERFACE, T_TRAIT => class_exists($next[1], false) || interface_exists($next[1], false) || trait_exists($next[1], false),
                default => false,
            };
            $before = $tokens[$index - 1] ?? null;
            if ($exists && !(is_array($before) && $before[0] === T_DOUBLE_COLON)) {
                throw new Error("{$next[1]} is defined already, and PHP cannot define it again in the same session. "
                    . 'Give it another name, or assign a function to a variable.');
            }
        }
    }

    /** A last expression without a semicolon is shown. */
    private static function showing(string $code, array $tokens): string
    {
        $depth = 0;
        $at = $start = 0;
        $last = null;
        foreach ($tokens as $token) {
            $text = is_array($token) ? $token[1] : $token;
            $empty = is_array($token) && in_array($token[0], [T_WHITESPACE, T_COMMENT, T_DOC_COMMENT]);
            if (in_array($text, ['(', '[', '{', '${', '{$'], true)) $depth++;
            if (in_array($text, [')', ']', '}'], true)) $depth--;
            $at += strlen($text);
            if ($depth === 0 && ($text === ';' || $text === '}')) $start = $at;
            if (!$empty) $last = $text;
        }
        $rest = trim(substr($code, $start));
        if ($last === null || $last === ';' || $last === '}' || $rest === '') return $code;
        if (preg_match('/\A(echo|print|return|if|for|foreach|while|do|switch|function|class|use|namespace|unset|throw|global|static|abstract|final|const|declare|goto|try)\b/i', $rest)) {
            return $code . "\n;";
        }
        if (preg_match('/\A\$\w+\s*([-+*\/.%]|\*\*|\?\?)?=[^=>]/', $rest)) return $code . "\n;";
        return substr($code, 0, $start) . ' OpenInterpreterDriver::show(' . substr($code, $start) . "\n);";
    }

    public static function show(mixed $value): void
    {
        if ($value === null) return;
        $text = is_string($value) ? var_export($value, true) : (is_scalar($value) ? var_export($value, true) : rtrim(print_r($value, true)));
        if (strlen($text) > 1000000) $text = substr($text, 0, 500000) . "\n…\n" . substr($text, -500000);
        self::place(['op' => 'display', 'bundle' => ['text/plain' => $text]]);
    }

    public static function finished(?Throwable $error = null): void
    {
        self::$running = false;
        if (getmypid() !== self::$process) return;
        while (ob_get_level() > 0) ob_end_flush();
        $status = 'ok';
        if ($error !== null) {
            $status = $error instanceof OpenInterpreterInterrupt ? 'interrupted' : 'error';
            $text = self::described($error);
            $name = $status === 'interrupted' ? 'Interrupt' : get_class($error);
            self::place(['op' => 'error', 'name' => $name, 'message' => $error->getMessage(), 'traceback' => $text]);
        }
        self::place(['op' => 'end', 'id' => self::$id, 'status' => $status]);
    }

    private static function described(Throwable $error): string
    {
        if ($error instanceof OpenInterpreterInterrupt) return "Interrupted\n";
        $own = __FILE__;
        $place = fn ($file, $line) => str_starts_with($file, $own) ? self::$name . ":$line" : "$file:$line";
        $text = 'PHP ' . get_class($error) . ': ' . $error->getMessage();
        $text .= $error->getFile() === $own ? "\n" : ' in ' . $place($error->getFile(), $error->getLine()) . "\n";
        foreach ($error->getTrace() as $frame) {
            $called = ($frame['class'] ?? '') . ($frame['type'] ?? '') . $frame['function'];
            if ($called === 'eval' || str_starts_with($called, 'OpenInterpreterDriver')) continue;
            $text .= "  $called() called at " . $place($frame['file'] ?? 'PHP', $frame['line'] ?? 0) . "\n";
        }
        return $text;
    }

    /** Sends an event that keeps its place between what was printed before and after it. */
    private static function place(array $event): void
    {
        self::$telling = true; // an interrupt waits until all of it is written
        flush();
        $event['mark'] = ++self::$marks;
        foreach (self::$streams as $stream) self::write($stream, "\x1e" . self::$nonce . ':' . self::$marks . "\x1e");
        self::send($event);
        self::$telling = false;
        if (self::$stopped) {
            self::$stopped = false;
            self::interrupt();
        }
    }

    private static function send(array $event): void
    {
        self::write(self::$events, "\n" . json_encode($event, JSON_INVALID_UTF8_SUBSTITUTE | JSON_PARTIAL_OUTPUT_ON_ERROR) . "\n");
    }

    private static function write($stream, string $text): void
    {
        while ($text !== '') {
            $written = @fwrite($stream, $text);
            if ($written === false) return;
            $text = substr($text, $written);
        }
    }
}

$argv = [''];
$argc = 1;
OpenInterpreterDriver::open();
while (OpenInterpreterDriver::next()) {
    try {
        eval(OpenInterpreterDriver::prepared());
        OpenInterpreterDriver::finished();
    } catch (Throwable $__error) {
        OpenInterpreterDriver::finished($__error);
        unset($__error);
    }
}
