// What Landlock can be told to watch over, by the version that a kernel has of it.

const bit = (index: number): number => 1 << index;

/** Of files, folders and devices: the kernel's numbers. */
export const rights = {
  run: bit(0),
  writeFile: bit(1),
  readFile: bit(2),
  list: bit(3),
  removeFolder: bit(4),
  removeFile: bit(5),
  makeCharacterDevice: bit(6),
  makeFolder: bit(7),
  makeFile: bit(8),
  makeSocket: bit(9),
  makePipe: bit(10),
  makeBlockDevice: bit(11),
  makeLink: bit(12),
  /** Giving something another folder. */
  move: bit(13),
  /** Cutting a file off without opening it for writing. */
  cut: bit(14),
  /** What devices are told besides what is written to them. */
  control: bit(15),
} as const;

const allOf = (...each: number[]): number => each.reduce((all, one) => all | one, 0);

export const reading = allOf(rights.run, rights.readFile, rights.list);
export const writing = allOf(
  ...[rights.writeFile, rights.cut, rights.removeFolder, rights.removeFile, rights.makeFolder, rights.makeFile],
  ...[rights.makeSocket, rights.makePipe, rights.makeLink, rights.move],
);
export const device = allOf(rights.readFile, rights.writeFile, rights.cut, rights.control);
/** All that can be said of something that is no folder. */
export const ofFiles = allOf(rights.run, rights.readFile, rights.writeFile, rights.cut, rights.control);

/** What this version watches over: whatever is among it is refused, unless a rule grants it. */
export function handledBy(version: number): number {
  const known = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
  return bit(known) - 1;
}

/** Abstract sockets, and signals: only to those that are held back in the same way. */
export const scopedBy = (version: number): number => (version >= 6 ? 0b11 : 0);
