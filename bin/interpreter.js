#!/usr/bin/env node
// Starts the command; on a Node that is too old it says so instead of failing on unknown syntax.
import { launch } from "./launch.js";

launch("interpreter");
