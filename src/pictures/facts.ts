// What a file is, by its first bytes, and how large the picture in it is. Its name is only a guess and is not looked at.

export type PictureKind = "png" | "jpeg" | "gif" | "webp" | "bmp" | "tiff" | "heic";

export interface PictureFacts {
  kind: PictureKind;
  width: number;
  height: number;
}

/** Undefined when it is no picture, or a broken one. */
export function pictureFacts(file: Buffer): PictureFacts | undefined {
  const kind = kindOf(file);
  try {
    const size = kind && sizes[kind](file);
    return kind && size && size[0] > 0 && size[1] > 0 ? { kind, width: size[0], height: size[1] } : undefined;
  } catch {
    return undefined; // It ends before it has said how large it is.
  }
}

function kindOf(file: Buffer): PictureKind | undefined {
  const text = (from: number, to: number): string => file.toString("latin1", from, to);
  if (text(0, 8) === "\x89PNG\r\n\x1a\n") return "png";
  if (text(0, 3) === "\xff\xd8\xff") return "jpeg";
  if (/^GIF8[79]a$/.test(text(0, 6))) return "gif";
  if (text(0, 4) === "RIFF" && text(8, 12) === "WEBP") return "webp";
  // "BM" begins words too; the header of a picture is one of a few lengths.
  if (text(0, 2) === "BM" && file.length > 54 && [40, 52, 56, 108, 124].includes(file.readUInt32LE(14))) return "bmp";
  if (text(0, 4) === "II*\0" || text(0, 4) === "MM\0*") return "tiff";
  if (text(4, 8) === "ftyp" && /^(heic|heix|heim|heis|hevc|mif1|msf1|avif)$/.test(text(8, 12))) return "heic";
  return undefined;
}

type Size = readonly [width: number, height: number] | undefined;

const sizes: Record<PictureKind, (file: Buffer) => Size> = {
  png: (file) => [file.readUInt32BE(16), file.readUInt32BE(20)],
  jpeg: sizeOfJpeg,
  gif: (file) => [file.readUInt16LE(6), file.readUInt16LE(8)],
  webp: sizeOfWebp,
  bmp: (file) => [file.readInt32LE(18), Math.abs(file.readInt32LE(22))],
  tiff: sizeOfTiff,
  heic: sizeOfHeic,
};

/** The frame header says it: one of the markers C0–CF but for the tables among them. */
function sizeOfJpeg(file: Buffer): Size {
  for (let at = 2; at < file.length; ) {
    while (file[at] === 0xff && file[at + 1] === 0xff) at++;
    const marker = file.readUInt8(at + 1);
    if (file[at] !== 0xff) return undefined;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [file.readUInt16BE(at + 7), file.readUInt16BE(at + 5)];
    at += 2 + file.readUInt16BE(at + 2);
  }
  return undefined;
}

function sizeOfWebp(file: Buffer): Size {
  const form = file.toString("latin1", 12, 16);
  if (form === "VP8X") return [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1];
  if (form === "VP8 ") return [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff];
  const bits = file.readUInt32LE(21);
  return form === "VP8L" ? [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1] : undefined;
}

function sizeOfTiff(file: Buffer): Size {
  const little = file[0] === 0x49;
  const short = (at: number): number => (little ? file.readUInt16LE(at) : file.readUInt16BE(at));
  const long = (at: number): number => (little ? file.readUInt32LE(at) : file.readUInt32BE(at));
  const directory = long(4);
  const found: Record<number, number> = {};
  for (let index = 0; index < short(directory); index++) {
    const at = directory + 2 + index * 12;
    found[short(at)] = short(at + 2) === 3 ? short(at + 8) : long(at + 8);
  }
  return found[256] && found[257] ? [found[256], found[257]] : undefined;
}

/** The largest of the pictures in it; the others are its thumbnails and tiles. */
function sizeOfHeic(file: Buffer): Size {
  let best: Size;
  for (let at = file.indexOf("ispe"); at >= 0; at = file.indexOf("ispe", at + 4)) {
    const size = [file.readUInt32BE(at + 8), file.readUInt32BE(at + 12)] as const;
    if (!best || size[0] * size[1] > best[0] * best[1]) best = size;
  }
  return best;
}
