// What is understood as yes and as no, and what is asked about again.

import { expect, test } from "vitest";
import { readAnswer } from "../../src/terminal/ask-approval.ts";
import { readEffectsAnswer } from "../../src/terminal/effects/read-effects-answer.ts";
import { saysNo, saysYes } from "../../src/terminal/yes-no.ts";

test.each([
  "y",
  "Yes",
  "yes please",
  "Yes, please!",
  "ok",
  "OK.",
  "sure",
  "sure, go ahead",
  "please do",
  "do it",
  "yep",
])("%s is a yes", (answer) => {
  expect([saysYes(answer), saysNo(answer)]).toEqual([true, false]);
  expect(readAnswer(answer)).toEqual({ type: "run" });
  expect(readEffectsAnswer(answer)).toEqual({ type: "keep" });
});

test.each(["n", "No.", "nope", "no thanks", "No, thank you", "don’t", "stop", "cancel"])("%s is a no", (answer) => {
  expect([saysYes(answer), saysNo(answer)]).toEqual([false, true]);
  expect(readAnswer(answer)).toEqual({ type: "refuse" });
  expect(readEffectsAnswer(answer)).toEqual({ type: "discard" });
});

test.each(["ja", "oui", "klar", "hm", "yes but use tabs", "ok, and then a chart", "sure?", "1", "/undo"])(
  "%s is neither, and is asked about again",
  (answer) => {
    expect([saysYes(answer), saysNo(answer)]).toEqual([false, false]);
    expect(readAnswer(answer)).toBeUndefined();
    expect(readEffectsAnswer(answer)).toBeUndefined();
  },
);

test("a sentence is for the model, in any script", () => {
  for (const words of ["use tabs instead", "no, use tabs instead", "用制表符代替"]) {
    const said = words.replace("no, ", "");
    expect(readAnswer(words)).toEqual({ type: "refuse", words: said });
    expect(readEffectsAnswer(words)).toEqual({ type: "discard", words: said });
  }
});
