// Finds fenced blocks in markdown as it streams. However the text is cut into chunks, the same blocks come out.

import type { Ending } from "./dialect.ts";
import {
  inlineOpener,
  leadingBlank,
  lineOpener,
  longestInfo,
  longestLine,
  mayBeOneLiner,
  mayBeOpener,
  mayCloseCode,
  oneLiner,
  trailing,
  transcript,
  visible,
} from "./fence-lines.ts";
import { guessLanguage } from "./guess-language.ts";
import { codeBehindLabel, isExecutable, isLabel, labelOf } from "./labels.ts";

export interface FenceSink {
  text(text: string): void;
  open(label: string): void;
  code(text: string): void;
  close(complete: boolean): void;
}

export interface FenceReader {
  write(text: string): void;
  /** Whether the last whole line is inside a fence. */
  readonly inside: boolean;
  end(ending: Ending): void;
}

interface Fence {
  char: string;
  length: number;
  indent: number;
}

export function createFenceReader(languages: readonly string[], sink: FenceSink): FenceReader {
  let mode: "text" | "code" | "verbatim" | "undecided" = "text";
  /** The current line as far as it has come, and how much of it has been passed on. */
  let line = "";
  let passed = 0;
  /** All of its characters; of a very long line only the end is still in `line`. */
  let length = 0;
  let fence: Fence = { char: "`", length: 3, indent: 0 };
  let depth = 0;
  /** What must come before any further code: newlines, or a fence that may yet turn out to close the block. */
  let owed = "";
  let opener = "";
  let body: string[] = [];
  let commandsOnly = false;
  let sawLabelled = false;
  /** Whether the open block has any code yet. */
  let wrote = false;
  /** A fence was opened twice: a second closing one is dropped. */
  let doubled = false;
  let swallow = false;

  const nextLine = (): void => {
    line = "";
    passed = 0;
    length = 0;
  };

  const forget = (): void => {
    if (passed <= longestLine) return;
    // What stands for the rest must not look like a fence.
    line = `x${line.slice(passed - longestInfo)}`;
    passed = longestInfo + 1;
  };

  const passText = (upTo: number): void => {
    if (upTo > passed) sink.text(line.slice(passed, upTo));
    passed = Math.max(passed, upTo);
  };

  const isBareFence = (text: string): boolean => {
    const match = /^([\s\u200b\u2060]*)(`+|~+)\s*$/.exec(text);
    return match !== null && isClosing(match[1]!, match[2]!);
  };

  const isClosing = (before: string, mark: string): boolean =>
    mark[0] === fence.char && mark.length >= fence.length && before.length <= fence.indent + 3;

  /** Where the words begin that stand behind a closing fence on its line. */
  const wordsBehindFence = (text: string): number | undefined => {
    const match = /^(\s*)(`{3,}|~{3,})[ \t]+(?=\S)/.exec(text);
    if (!match || !isClosing(match[1]!, match[2]!)) return undefined;
    const words = text.slice(match[0].length).trim();
    return words.includes(" ") || !isLabel(labelOf(words), languages) ? match[0].length : undefined;
  };

  const isNestedOpener = (text: string): boolean => {
    const match = /^\s*(`{3,}|~{3,})([^`\n]+)$/.exec(text.trimEnd());
    return match !== null && isLabel(labelOf(match[2]!), languages) && wordsBehindFence(text) === undefined;
  };

  // Text

  const openFence = (before: string, mark: string, info: string): void => {
    fence = { char: mark[0]!, length: mark.length, indent: before.length };
    [depth, owed, opener, body, wrote] = [0, "", line.slice(before.length), [], false];
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
      const code = codeBehindLabel(info);
      if (code) {
        sink.code(code);
        [owed, wrote] = ["\n", true];
      }
    } else {
      passText(line.length);
      mode = "verbatim";
    }
    nextLine();
  };

  const readOneLiner = (whole: string): boolean => {
    const match = length > longestInfo ? null : oneLiner.exec(whole);
    if (!match || !isExecutable(match[2]!, languages)) return false;
    sink.open(match[2]!);
    sink.code(match[3]!);
    sink.close(true);
    nextLine();
    return true;
  };

  const endTextLine = (): void => {
    if (swallow && /^\s*[`~]{3,}\s*$/.test(line)) {
      swallow = false;
      nextLine();
      return;
    }
    if (line.trim() !== "") swallow = false;
    const mark = length > longestLine ? -1 : line.indexOf("```");
    const whole = length > longestInfo ? null : lineOpener.exec(line);
    const inline = whole || mark < 0 || length - mark > longestInfo ? null : inlineOpener.exec(line.slice(mark));
    if (whole) openFence(whole[1]!, whole[2]!, whole[3]!);
    else if (inline && isExecutable(inline[2]!, languages)) {
      openFence(line.slice(0, mark), inline[1]!, inline[2]!);
      fence.indent = 0;
    } else if (!readOneLiner(line)) {
      passText(line.length);
      nextLine();
    }
  };

  /** Passes on what cannot be a fence any more. */
  const flowText = (): void => {
    if (line.length < longestInfo && (mayBeOpener.test(line) || mayBeOneLiner.test(line))) return;
    const mark = line.indexOf("```", Math.max(0, passed - 2));
    if (mark >= 0 && line.length - mark < longestInfo && !/`/.test(line.slice(mark).replace(/^`+/, ""))) {
      if (line.slice(0, mark).trim()) passText(mark);
      return;
    }
    passText(line.length - trailing(line, "`"));
  };

  // Code

  const passCode = (upTo: number): void => {
    const margin = passed > 0 ? "" : leadingBlank.exec(line)![0].slice(0, upTo);
    const from = passed > 0 ? passed : Math.min(fence.indent, /^[ \t]*/.exec(margin)![0].length);
    const text = visible(margin.slice(from)) + line.slice(Math.max(from, margin.length), upTo);
    if (text) {
      sink.code(owed + text);
      [owed, wrote] = ["", true];
    }
    passed = Math.max(passed, upTo);
  };

  const closeCode = (complete: boolean, ended: boolean): void => {
    const doubtful = ended && /^[`~]{3,}\s*$/.test(owed);
    const rest = doubtful ? "" : owed.replace(/\n$/, "");
    if (rest) sink.code(rest);
    owed = "";
    sink.close(complete);
    [mode, swallow, doubled] = ["text", doubled, false];
    nextLine();
  };

  /** The line closes the block, alone or with words behind the fence. */
  const closes = (): boolean => {
    if (passed > 0 || depth > 0 || length > longestInfo) return false;
    const words = isBareFence(line) ? line.length : wordsBehindFence(line);
    if (words === undefined) return false;
    const rest = line.slice(words);
    closeCode(true, false);
    write(rest);
    return true;
  };

  const endCodeLine = (): void => {
    if (closes()) return;
    const nested = passed === 0 && isNestedOpener(line);
    if (nested && !wrote && owed === "" && !doubled) {
      doubled = true;
      nextLine();
      return;
    }
    if (nested) depth++;
    else if (passed === 0 && isBareFence(line)) depth--;
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
    if (passed === 0 && length <= longestInfo && mayCloseCode.test(line)) return;
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

  const isCommand = (text: string): boolean => /^\s*\$ /.test(text);
  /** Blank lines and remarks could be in any language. */
  const isTelling = (text: string): boolean => !/^(?:#(?!!).*)?$/.test(text.trim());

  const endUndecidedLine = (): void => {
    const telling = body.filter(isTelling);
    const inner = telling.length === 0 && body.length === 0 ? lineOpener.exec(line) : null;
    const named = line.trim();
    if (inner && labelOf(inner[3]!)) {
      doubled = true;
      openFence(inner[1]!, inner[2]!, inner[3]!);
    } else if (isBareFence(line)) decide(telling.length === 0 ? "verbatim" : "shell");
    else if (!isTelling(line) || (isCommand(line) && telling.every(isCommand))) {
      body.push(line);
      nextLine();
    } else if (telling.length > 0 || commandsOnly || length > longestLine) decide("verbatim");
    else if (/^[\w+#.-]{2,}$/.test(named) && isExecutable(named, languages) && body.every((each) => !each.trim())) {
      nextLine();
      sawLabelled = true;
      decide(named);
    } else decide(guessLanguage(line, languages) ?? "verbatim");
  };

  const flowUndecided = (): void => {
    if (length > longestLine) decide("verbatim");
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
  const flows = { text: flowText, code: flowCode, verbatim: () => passText(line.length), undecided: flowUndecided };

  function write(text: string): void {
    let at = 0;
    while (at < text.length) {
      const newline = text.indexOf("\n", at);
      const stop = newline < 0 ? text.length : newline + 1;
      line += text.slice(at, stop);
      length += stop - at;
      at = stop;
      if (newline >= 0) ends[mode]();
      else {
        flows[mode]();
        forget();
      }
    }
  }

  const endUndecided = (): void => {
    const all = [...body, line].filter((found) => found.trim());
    const content = (isBareFence(all.at(-1) ?? "") ? all.slice(0, -1) : all).filter(isTelling);
    if (content.length === 0) decide("verbatim");
    else if (content.every(isCommand)) decide("shell");
    else decide((commandsOnly ? undefined : guessLanguage(content[0]!, languages)) ?? "verbatim");
  };

  const endCode = (ending: Ending): void => {
    if (closes()) return;
    const broken = passed === 0 && /^\s*[`~]{1,2}$/.test(line);
    const tail = depth === 0 ? closingTail(line) : "";
    if (!broken) passCode(line.length - tail.length);
    closeCode(ending === "whole" || tail !== "", true);
  };

  return {
    write,
    get inside() {
      return mode !== "text";
    },
    end(ending) {
      if (mode === "undecided") endUndecided();
      if (mode === "code") endCode(ending);
      if (mode === "text" && swallow && /^\s*[`~]{3,}\s*$/.test(line)) nextLine();
      if (mode !== "text" || !readOneLiner(`${line}\n`)) passText(line.length);
      nextLine();
    },
  };
}
