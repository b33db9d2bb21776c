// The program that the person's Python reads blocks with, put together of its parts: each uses the names of those before it.

import blocks from "./python-blocks.py";
import calls from "./python-calls.py";
import facts from "./python-facts.py";
import files from "./python-files.py";
import names from "./python-names.py";
import script from "./python-script.py";
import source from "./python-source.py";
import tree from "./python-tree.py";
import versions from "./python-versions.py";
import world from "./python-world.py";

export const pythonProgram = [world, tree, files, names, calls, facts, source, script, versions, blocks].join("\n");
