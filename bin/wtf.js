#!/usr/bin/env node
// `wtf`: what went wrong with the last command of the shell.
import { launch } from "./launch.js";

launch("wtf");
