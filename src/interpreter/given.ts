// What a profile that is code gives, as an interpreter takes it.

import type { ApproveFirst } from "../agent/index.ts";
import { aboutFunctions, type HostFunctions } from "../computer/index.ts";
import type { Language } from "../languages/index.ts";
import type { Model } from "../models/index.ts";
import { type CustomLanguage, type GivenByCode, InputProblem } from "../settings/index.ts";
import type { InterpreterOptions } from "./options.ts";

/** `described` are the languages of the settings, which those of the profile go beside. */
export function givenOptions(given: GivenByCode, described: readonly CustomLanguage[] = []): InterpreterOptions {
  const { model, languages, functions, approve } = given;
  return {
    ...(model && { model: model as Model }),
    ...(languages && { customLanguages: [...described, ...(languages as Language[])] }),
    ...(functions && { functions: checked(functions as HostFunctions) }),
    ...(approve && { approveFirst: guarded(approve as ApproveFirst) }),
  };
}

function checked(functions: HostFunctions): HostFunctions {
  try {
    aboutFunctions(functions);
    return functions;
  } catch (error) {
    throw new InputProblem(`The functions of the profile cannot be used: ${(error as Error).message}`);
  }
}

/** Where it fails, nothing runs. */
const guarded =
  (approve: ApproveFirst): ApproveFirst =>
  async (block, signal) => {
    try {
      return await approve(block, signal);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new InputProblem(`The approve function of the profile failed, and the block was not run: ${why}`);
    }
  };
