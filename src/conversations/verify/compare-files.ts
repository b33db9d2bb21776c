// Whether a file that was made again is the one that was recorded: the same bytes, or the same content where a format holds the time
// it was written.

import { existsSync, readFileSync, statSync } from "node:fs";
import { extname } from "node:path";
import { pictureDifference } from "./compare-pictures.ts";
import { type Circumstances, textDifference } from "./compare-text.ts";
import { zipMembers } from "./zip-members.ts";

const pictures = new Set([".png", ".jpg", ".jpeg"]);
const largest = 200_000_000;

/** Undefined when they are the same; otherwise why not. */
export async function fileDifference(
  recorded: string,
  now: string,
  then: Circumstances,
  here: Circumstances,
): Promise<string | undefined> {
  if (!existsSync(now)) return "it was not made";
  const sizes = [statSync(recorded).size, statSync(now).size];
  if (statSync(recorded).isDirectory()) return statSync(now).isDirectory() ? undefined : "it is no folder";
  if (Math.max(...sizes) > largest) return sizes[0] === sizes[1] ? undefined : "it has another size";
  const [one, other] = [readFileSync(recorded), readFileSync(now)];
  if (one.equals(other)) return undefined;
  if (pictures.has(extname(recorded).toLowerCase())) return pictureDifference(one, other);
  const [zip, zipNow] = [zipMembers(one), zipMembers(other)];
  if (zip && zipNow) return memberDifference(zip, zipNow);
  const [text, textNow] = [asText(one), asText(other)];
  if (text === undefined || textNow === undefined) return "its bytes are others";
  const plain = extname(recorded).toLowerCase() === ".svg" ? withoutDates : (same: string) => same;
  const difference = textDifference(plain(text), plain(textNow), then, here);
  return difference && `“${short(difference.now)}” where “${short(difference.recorded)}” was`;
}

/** Workbooks and the like are archives, and say when they were made. */
function memberDifference(one: Map<string, Buffer>, other: Map<string, Buffer>): string | undefined {
  const name = [...new Set([...one.keys(), ...other.keys()])].find((each) => {
    if (/docProps\/|(^|\/)meta\.xml$/.test(each)) return false;
    const [mine, theirs] = [one.get(each), other.get(each)];
    return !mine || !theirs || !mine.equals(theirs);
  });
  return name && `${name} in it is another`;
}

function asText(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return text.includes("\0") || text.includes("\ufffd") ? undefined : text;
}

/** What drawings say about when, and with which made-up names, they were made. */
const withoutDates = (text: string): string =>
  text.replace(/<dc:date>[^<]*<\/dc:date>/g, "").replace(/\b(id|href|xlink:href|clip-path)="[^"]*"/g, "");

const short = (line: string): string => (line.length > 60 ? `${line.slice(0, 59)}…` : line);
