import { expect, test } from "vitest";
import { Place } from "../support/program.ts";
import { Terminal } from "../support/terminal.ts";

test("%sessions, %vars and %restart show the live sessions, what is in them, and start over", async () => {
  using place = new Place();
  await using screen = new Terminal(place, [], { columns: 120 });
  await screen.see("No model is set up");
  screen.enter("%vars");
  await screen.see("No session is running yet");
  screen.enter("%python cities = ['Ulm', 'Bonn']");
  await screen.see(/cities = .*\n\n>$/);
  screen.enter("%sessions");
  await screen.see(/python {2}Python 3\.\S+ {2}pid \d+ {2}\d+\.\d MB {2}\d+ s {2}idle/);
  screen.enter("/vars py");
  await screen.see(/python\n {2}cities {2}list {2}2 {2}\['Ulm', 'Bonn'\]/);
  screen.enter("%restart klingon");
  await screen.see("There is no language klingon.");
  screen.enter("%restart python");
  await screen.see(/New session: Python 3\./);
  screen.enter("%python 'cities' in globals()");
  await screen.see("(it was restarted)");
  await screen.see("│ False");
  screen.enter("%quit");
  expect(await screen.ended()).toBe(0);
});
