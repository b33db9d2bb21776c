// Every module there is, one line each, in the order computer.help() lists them.

import type { Module } from "../module.ts";
import { files } from "./files.ts";
import { help } from "./help.ts";
import { sessions } from "./sessions.ts";

export const allModules: readonly Module[] = [help, files, sessions];
