// Finds fenced blocks in markdown as it streams. However the text is cut into chunks, the same blocks come out.

import type { Ending } from "./dialect.ts";
import { isExecutable, isLabel, labelOf } from "./labels.ts";

export interface FenceSink {
  text(text: string): void;
  open(label: string): void;
  code(text: string): void;
  close(complete: boolean): void;
}

export interface FenceReader {
  write(text: string): void;
  end(ending: Ending): void;
}

interface Fence {
  char: string;
  length: number;
  indent: number;
}

const lineOpener = /^(\s*(?:(?:[-*+]|\d+[.)])\s+)?)(`{3,}|~{3,})([^`\n]*)\n$/;
/** After other words on its line a fence counts only with the name of a language. */
const inlineOpener = /^(`{3,})([A-Za-z][\w+#.-]*)[ \t]*\r?\n$/;
/** No info string is longer; what goes on is a line of text. */
const longestInfo = 200;
/** Labels of transcripts, which run only if they are all commands. */
const transcript = /^(console|terminal|shell-session|shellsession)$/;

export function createFenceReader(languages: readonly string[], sink: FenceSink): FenceReader {
  let mode: "text" | "code" | "verbatim" | "undecided" = "text";
  /** The current line as far as it has come, and how much of it has been passed on. */
  let line = "";
  let passed = 0;
  let fence: Fence = { char: "`", length: 3, indent: 0 };
  let depth = 0;
  /** What must come before any further code: newlines, or a fence that may yet turn out to close the block. */
  let owed = "";
  let opener = "";
  let body: string[] = [];
  let commandsOnly = false;
  let sawLabelled = false;

  const nextLine = (): void => {
    line = "";
    passed = 0;
  };

  const passText = (upTo: number): void => {
    if (upTo > passed) sink.text(line.slice(passed, upTo));
    passed = Math.max(passed, upTo);
  };

  const isBareFence = (text: string): boolean => {
    const match = /^(\s*)(`+|~+)\s*$/.exec(text);
    if (!match || match[2]![0] !== fence.char || match[2]!.length < fence.length) return false;
    return match[1]!.length <= fence.indent + 3;
  };

  const isNestedOpener = (text: string): boolean => {
    const match = /^\s*(`{3,}|~{3,})([^`\n]+)$/.exec(text.trimEnd());
    return match !== null && isLabel(labelOf(match[2]!), languages);
  };

  // Text

  const openFence = (before: string, mark: string, info: string): void => {
    fence = { char: mark[0]!, length: mark.length, indent: before.length };
    [depth, owed, opener, body] = [0, "", line.slice(before.length), []];
    if (before.trim()) passText(before.length);
    const label = labelOf(info);
    if (transcript.test(label) || (label === "" && info.trim() === "" && !sawLabelled)) {
      commandsOnly = label !== "";
      opener = line.slice(passed);
      mode = "undecided";
    } else if (label !== "" && isExecutable(label, languages)) {
      sawLabelled = true;
      sink.open(label);
      mode = "code";
    } else {
      passText(line.length);
      mode = "verbatim";
    }
    nextLine();
  };

  const endTextLine = (): void => {
    const mark = line.indexOf("```");
    const whole = lineOpener.exec(line);
    const inline = whole || mark < 0 ? null : inlineOpener.exec(line.slice(mark));
    if (whole) openFence(whole[1]!, whole[2]!, whole[3]!);
    else if (inline && isExecutable(inline[2]!, languages)) {
      openFence(line.slice(0, mark), inline[1]!, inline[2]!);
      fence.indent = 0;
    } else {
      passText(line.length);
      nextLine();
    }
  };

  /** Passes on what cannot be a fence any more. */
  const flowText = (): void => {
    const mark = line.indexOf("```", Math.max(0, passed - 2));
    if (mark >= 0 && line.length - mark < longestInfo && !/`/.test(line.slice(mark).replace(/^`+/, ""))) {
      if (line.slice(0, mark).trim()) passText(mark);
      return;
    }
    if (line.length < longestInfo && /^\s*(?:[-*+]\s*|\d+[.)]\s*|\d+)?(?:~[^\n]*|`*)$/.test(line)) return;
    passText(line.length - trailing(line, "`"));
  };

  // Code

  const passCode = (upTo: number): void => {
    const from = passed > 0 ? passed : Math.min(fence.indent, /^[ \t]*/.exec(line)![0].length, upTo);
    const text = line.slice(from, upTo);
    if (text) {
      sink.code(owed + text);
      owed = "";
    }
    passed = Math.max(passed, upTo);
  };

  const closeCode = (complete: boolean, ended: boolean): void => {
    const doubtful = ended && /^[`~]{3,}\s*$/.test(owed);
    const rest = doubtful ? "" : owed.replace(/\n$/, "");
    if (rest) sink.code(rest);
    owed = "";
    sink.close(complete);
    mode = "text";
    nextLine();
  };

  const endCodeLine = (): void => {
    const bare = passed === 0 && isBareFence(line);
    if (bare && depth === 0) {
      closeCode(true, false);
      return;
    }
    if (bare) depth--;
    else if (passed === 0 && isNestedOpener(line)) depth++;
    const text = line.replace(/\r?\n$/, "");
    const tail = depth === 0 ? closingTail(text) : "";
    passCode(text.length - tail.length);
    owed += `${tail}\n`;
    nextLine();
  };

  /** A fence at the end of a line of code, which closes the block if nothing more comes. */
  const closingTail = (text: string): string => {
    const match = /(`{3,}|~{3,})\s*$/.exec(text);
    if (!match || match.index === 0 || match[1]![0] !== fence.char || match[1]!.length < fence.length) return "";
    return match[0];
  };

  const flowCode = (): void => {
    if (passed === 0 && /^\s*(?:`[^\n]*|~[^\n]*)?$/.test(line)) return;
    const blank = trailing(line, " \t\r");
    passCode(line.length - blank - trailing(line.slice(0, line.length - blank), "`~"));
  };

  // Verbatim

  const endVerbatimLine = (): void => {
    passText(line.length);
    if (isBareFence(line)) {
      if (depth === 0) mode = "text";
      else depth--;
    } else if (isNestedOpener(line)) depth++;
    nextLine();
  };

  // A fence without a label: its content tells what it is.

  const endUndecidedLine = (): void => {
    const closing = isBareFence(line);
    const isCommand = /^\s*\$ /.test(line);
    const allCommands = body.every((earlier) => earlier.trim() === "" || /^\s*\$ /.test(earlier));
    const blank = body.every((earlier) => earlier.trim() === "");
    const named = line.trim();
    if (closing) decide(blank ? "verbatim" : "shell");
    else if (named === "" || (isCommand && allCommands)) {
      body.push(line);
      nextLine();
    } else if (!blank || commandsOnly) decide("verbatim");
    else if (/^[\w+#.-]{2,}$/.test(named) && isExecutable(named, languages)) {
      nextLine();
      sawLabelled = true;
      decide(named);
    } else decide("python");
  };

  const decide = (as: string): void => {
    const text = body.join("") + line;
    const head = opener;
    body = [];
    nextLine();
    if (as === "verbatim") {
      sink.text(head);
      mode = "verbatim";
    } else {
      sink.open(as);
      mode = "code";
    }
    write(text);
  };

  const ends = { text: endTextLine, code: endCodeLine, verbatim: endVerbatimLine, undecided: endUndecidedLine };
  const flows = { text: flowText, code: flowCode, verbatim: () => passText(line.length), undecided: () => {} };

  function write(text: string): void {
    let at = 0;
    while (at < text.length) {
      const newline = text.indexOf("\n", at);
      const stop = newline < 0 ? text.length : newline + 1;
      line += text.slice(at, stop);
      at = stop;
      if (newline >= 0) ends[mode]();
      else flows[mode]();
    }
  }

  const endUndecided = (): void => {
    const all = [...body, line].filter((found) => found.trim());
    const last = all.at(-1) ?? "";
    const content = isBareFence(last) ? all.slice(0, -1) : all;
    if (content.length === 0) decide("verbatim");
    else if (content.every((found) => /^\s*\$ /.test(found))) decide("shell");
    else decide(commandsOnly ? "verbatim" : "python");
  };

  return {
    write,
    end(ending) {
      if (mode === "undecided") endUndecided();
      if (mode === "text" && lineOpener.test(`${line}\n`)) passText(line.length);
      if (mode === "code") {
        if (passed === 0 && isBareFence(line) && depth === 0) closeCode(true, false);
        else {
          const broken = passed === 0 && /^\s*[`~]{1,2}$/.test(line);
          const tail = depth === 0 ? closingTail(line) : "";
          if (!broken) passCode(line.length - tail.length);
          closeCode(ending === "whole" || tail !== "", true);
        }
      } else passText(line.length);
      nextLine();
    },
  };
}

/** How many of the last characters are of these. */
function trailing(text: string, characters: string): number {
  let at = text.length;
  while (at > 0 && characters.includes(text[at - 1]!)) at--;
  return text.length - at;
}
