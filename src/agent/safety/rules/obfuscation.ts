// What is written so that it cannot be read, and code that is not there to be read at all.

import { isEncoded } from "../letters.ts";
import { spotOf } from "../place.ts";
import { comesFrom, gap } from "../value.ts";
import { historyFiles } from "./paths.ts";
import { rules } from "./rule.ts";
import { commandMatches } from "./words.ts";

export const obfuscation = rules({
  "run-decoded": {
    kind: "obfuscation",
    severity: "danger",
    sentence: "Runs code that is hidden in an encoding.",
    sees: (act) =>
      (act.type === "run" && comesFrom(act.what, "decoded")) ||
      commandMatches(act, /^(powershell|pwsh) (?=.*-(e|en|enc|enco\w*|EncodedCommand) \S{16})/i) !== undefined ||
      undefined,
  },
  "run-built": {
    kind: "obfuscation",
    severity: "warning",
    sentence: "Runs text as code that is known only when it runs.",
    sees: (act) =>
      act.type === "run" && !act.known && !comesFrom(act.what, "network") && !comesFrom(act.what, "decoded"),
  },
  "hidden-name": {
    kind: "obfuscation",
    severity: "danger",
    sentence: "Calls % by a name that is put together, so that it is not seen.",
    sees: (act) => (act.type === "hidden-name" ? act.name : undefined),
  },
  "interpreter-parts": {
    kind: "obfuscation",
    severity: "warning",
    sentence: "Reaches into the insides of the interpreter (%).",
    sees: (act) =>
      act.type === "call" &&
      /__(subclasses|globals|code|getattribute)__$|^process\.(binding|_linkedBinding|dlopen)$|^gc\.get_objects$/.test(
        act.name,
      )
        ? act.name
        : undefined,
  },
  "encoded-text": {
    kind: "obfuscation",
    severity: "warning",
    sentence: "Holds a long encoded text, and nobody can see what is in it.",
    sees: (act) => act.type === "literal" && isEncoded(act),
  },
  "load-objects": {
    kind: "obfuscation",
    severity: "warning",
    sentence: "Loads objects from elsewhere in a form that can run code (%).",
    sees: (act) =>
      act.type === "call" &&
      /^(pickle|cPickle|dill|cloudpickle|marshal|shelve|joblib|yaml)\.(loads?|unsafe_load|open)$/.test(act.name) &&
      act.values.some((value) => comesFrom(value, "network") || comesFrom(value, "decoded"))
        ? act.name
        : undefined,
  },
  "turned-text": {
    kind: "obfuscation",
    severity: "danger",
    sentence: "Has a character that turns the text around: it is shown otherwise than it runs (%).",
    sees: (act) => (act.type === "letters" && act.how === "turned" ? act.what : undefined),
  },
  "unseen-text": {
    kind: "obfuscation",
    severity: "warning",
    sentence: "Has a character that cannot be seen (%).",
    sees: (act) => (act.type === "letters" && act.how === "unseen" ? act.what : undefined),
  },
  "look-alike": {
    kind: "obfuscation",
    severity: "danger",
    sentence: "Has letters of another script that look like Latin ones (%).",
    sees: (act) => (act.type === "letters" && act.how === "look-alike" ? act.what : undefined),
  },
  unreadable: {
    kind: "obfuscation",
    severity: "note",
    sentence: "Could not be read before it runs: %.",
    sees: (act) => (act.type === "unreadable" && !act.unfinished ? act.why : undefined),
  },
  "not-looked-at": {
    kind: "obfuscation",
    severity: "danger",
    sentence: "Nobody could look at all of it before it runs: %.",
    sees: (act) => (act.type === "unreadable" && act.unfinished ? act.why : undefined),
  },
  "hide-traces": {
    kind: "obfuscation",
    severity: "warning",
    sentence: "Takes away the record of what was run.",
    sees: (act, place) =>
      commandMatches(
        act,
        /^history -\w*[cw]|^unset (HISTFILE|HISTSIZE)|^set \+o history|^journalctl (?=.*--vacuum)|^wevtutil cl|^(fc -p|clear-history)/i,
      ) !== undefined ||
      undefined ||
      (act.type === "variable" &&
        /^(HISTFILE|HISTSIZE|HISTFILESIZE)$/.test(act.name) &&
        /^(0|\/dev\/null|)$/.test(act.value.text ?? "x")) ||
      ((act.type === "delete" || (act.type === "write" && !act.append)) &&
        historyFiles.test(spotOf(act.path.text ?? gap, place).path)),
  },
});
