// Walls that are opened while they stand: what is allowed is, nothing beside it, and not a step longer than was said.

import { describe, expect, test } from "vitest";
import { lastingPlace } from "../support/lasting-folder.ts";
import { whyNoLayer } from "../support/protected-folder.ts";
import { isRoot, runScript } from "./attempt.ts";

const why = whyNoLayer() || (lastingPlace ? "" : "there is no folder for it that is not a temporary one");
const people = [...(isRoot ? (["administrator"] as const) : []), "ordinary user" as const];

describe.skipIf(why)(`walls are opened and closed${why && ` (${why})`}`, () => {
  for (const who of people)
    for (const layer of ["auto", "checkpoint"])
      test(`as an ${who}, ${layer}`, async () => {
        expect(JSON.parse(await runScript("run-opened.ts", { who }, [layer]))).toEqual({
          "at first": "",
          "one file, and a folder to write, once": "<a> written",
          "that is over": "",
          "another for the conversation, a third once": "<b> <netrc>",
          "the other is left": "<b>",
          "the whole folder once": "<a> <b>",
          "the other is left again": "<b>",
          "writing for the conversation": "<b> written",
          "once besides, which ends before it": "<b> written",
          "it goes on": "<b> written",
          "all is forbidden": "",
          "in another conversation": "",
        });
      });
});
