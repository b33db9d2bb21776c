// Everything that must hold of every protection.

import type { Case } from "./case.ts";
import { handles } from "./handles.ts";
import { odd } from "./odd.ts";
import { outside } from "./outside.ts";
import { places } from "./places.ts";
import { plain } from "./plain.ts";

export const allCases: readonly Case[] = [...plain, ...odd, ...handles, ...outside, ...places];
