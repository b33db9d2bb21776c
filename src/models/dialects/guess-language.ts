// What a fence without a label holds, judged by its first line of code.

const commands =
  "ls cd pwd pip pip3 npm npx yarn pnpm git mkdir rmdir apt apt-get dnf yum pacman brew curl wget docker kubectl grep " +
  "chmod chown cp mv rm touch ssh scp rsync tar unzip zip conda mamba uv poetry cargo python python3 node ps df du uname " +
  "whoami sed awk xargs tree export source which echo cat systemctl cmake make find head tail kill sudo";

const command = new RegExp(`^(?:${commands.split(" ").join("|")})(?:\\s+(?![=(])\\S.*)?$`);
const script =
  /^(?:(?:const|let|var)\s+[\w{[$]|console\.\w+\(|(?:async\s+)?function\s*\w*\s*\(|import\s.+\sfrom\s+["'])/;
const page = /^<(?:!doctype|html|head|body|div|svg|script|style)\b/i;
/** Data, listings, transcripts and reports: things to read. */
const readable =
  /^(?:[{[]\s*$|[{[]\s*["{[]|<|Traceback \(most|[├└│┌]|\||[-dl][rwxst-]{9}|\d+[.,\d]*$|>>> |[A-Z]\w*(?:Error|Exception)\b|#{2,} )/;

/** True for a line that begins with one of the usual commands. */
export const isCommandLine = (line: string): boolean => command.test(line);

/** The language, or undefined for something that is only to be read. */
export function guessLanguage(line: string, languages: readonly string[]): string | undefined {
  const text = line.trim();
  const shebang = /^#!.*?(\w+)\s*$/.exec(text)?.[1];
  if (shebang) return /python/.test(shebang) ? "python" : /node/.test(shebang) ? "javascript" : "shell";
  if (page.test(text)) return languages.includes("html") ? "html" : undefined;
  if (readable.test(text)) return undefined;
  if (isCommandLine(text)) return "shell";
  return script.test(text) ? "javascript" : "python";
}
