// Addresses as Linux writes them in its tables of connections.

import { expect, test } from "vitest";
import { addressIn, watchConnections } from "../../src/machine/connections.ts";

test.each([
  ["0100007F", "127.0.0.1"],
  ["0B7100CB", "203.0.113.11"],
  ["0000000000000000FFFF00000100007F", "127.0.0.1"],
  ["00000000000000000000000001000000", "::1"],
  ["00000000000000000000000000000000", "::"],
  ["B80D0120000000000000000001000000", "2001:db8::1"],
  ["000080FE00000000FF005450B6AD66FE", "fe80::5054:ff:fe66:adb6"],
  ["B80D01200000000001000000010002FF", "2001:db8::1:ff02:1"],
  ["nonsense", ""],
  ["", ""],
])("%s is %s", (written, address) => {
  expect(addressIn(written)).toBe(address);
});

test("a group that is not there has no connections", async () => {
  const watched = watchConnections(2 ** 22 + 1);
  await new Promise((done) => setTimeout(done, 80));
  expect(watched.stop()).toEqual([]);
});
