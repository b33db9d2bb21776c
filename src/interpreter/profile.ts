// What a profile in TypeScript exports: settings in camel case, and what only code can give.

import type { ApproveFirst } from "../agent/index.ts";
import type { HostFunctions } from "../computer/index.ts";
import type { Language } from "../languages/index.ts";
import type { Model } from "../models/index.ts";
import type { Choices, CommandOption, CustomLanguage, ProfileContext } from "../settings/index.ts";

export interface ProfileOptions extends Omit<Choices, "model" | "profile" | "customLanguages" | CommandOption> {
  /** `provider/name`, or a model of your own. */
  model?: string | Model;
  /** Beside ours; one with the name of ours takes its place. */
  languages?: readonly (Language | CustomLanguage)[];
  /** What code in the sessions can call as `computer.functions.NAME(…)`. They run in this program, not in the session. */
  functions?: HostFunctions;
  /** Looks at each block first, with -y too: a decision holds, undefined leaves it to the person. */
  approve?: ApproveFirst;
}

/** `export default {…} satisfies Profile`, or a function that makes it. */
export type Profile = ProfileOptions | ((context: ProfileContext) => ProfileOptions | Promise<ProfileOptions>);
