#!/usr/bin/env node
// `i want a chart of this`: the same command under its short name.
import { launch } from "./launch.js";

launch("i");
