// The profiles that come with the program. Loaded when one is named.

import type { Choices } from "./options/index.ts";
import data from "./profiles/data.md";
import fast from "./profiles/fast.md";
import local from "./profiles/local.md";
import os from "./profiles/os.md";
import vision from "./profiles/vision.md";

export interface BundledProfile {
  /** One line, for the list of profiles. */
  about: string;
  choices: Choices;
  /** For the model, beside the person's own instructions. */
  instructions?: string;
  /** What the person must know when they choose it. */
  notice?: string;
}

export const bundledProfiles: Readonly<Record<string, BundledProfile>> = {
  default: { about: "nothing but what holds anyway", choices: {} },
  fast: { about: "a quick and cheap model, and few words", choices: { fast: true }, instructions: fast },
  local: {
    about: "a model on this machine, from a menu, led in small steps",
    choices: { local: true, maxOutput: 2_000 },
    instructions: local,
  },
  vision: {
    about: "the model is shown pictures, and looks at what it makes",
    choices: { llmSupportsVision: true },
    instructions: vision,
  },
  os: {
    about: "works the system and its programs; does not see the screen yet",
    choices: {},
    instructions: os,
    notice: "The screen cannot be seen or controlled yet: --os works the system through code alone.",
  },
  data: {
    about: "for analysts: looks at the data first, saves charts, states assumptions",
    choices: {},
    instructions: data,
  },
};
