// /outbox in the chat: what was sent, as a list and one of them whole.

import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { Terminal } from "../support/terminal.ts";

test("/outbox lists what was sent, shows a request whole in the pager, and finds words", async () => {
  await using model = await scriptedModel(["One.", "Two."]);
  using place = new Place({ PAGER: "./pager" });
  writeFileSync(join(place.folder, ".env"), "SHOP_TOKEN=kN4-wonderland-4711\n");
  writeFileSync(join(place.folder, "pager"), `#!/bin/sh\ncp "$1" ${place.folder}/paged\n`);
  chmodSync(join(place.folder, "pager"), 0o755);
  await using screen = new Terminal(place, ["--model", "x", "--api_base", model.openai], { columns: 120 });
  await screen.prompt();
  screen.enter("/outbox");
  await screen.see(/Nothing was sent yet\.\n\n>$/);
  screen.enter("my token is kN4-wonderland-4711");
  await screen.see(/One\.\n[\s\S]*\n>$/);
  screen.enter("what about bananas?");
  await screen.see(/Two\.\n[\s\S]*\n>$/);
  screen.enter("/outbox");
  await screen.see(
    /1 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2} *\d\S* kB sent, .* back in .*x at 127\.0\.0\.1:\d+ · 1 masked\n2 {2}[\s\S]*\/outbox N shows one of them whole\.\n\n>$/,
  );
  screen.enter("/outbox 2");
  await screen.see(/\/outbox 2\n\n>$/);
  const page = readFileSync(join(place.folder, "paged"), "utf8");
  expect(page).toContain("my token is ‹secret SHOP_TOKEN›");
  expect(page).toMatch(/^request {2}2\nsent {5}\S+, \d+ bytes\nto {7}http/);
  screen.enter("/outbox search BANANAS");
  await screen.see(/BANANAS\n2 {2}[^1][\s\S]*what about bananas\?[\s\S]*\n\n>$/);
});
