// Where files live. INTERPRETER_HOME puts everything in one folder; otherwise each platform's own places are used.

import { homedir } from "node:os";
import { join } from "node:path";

export interface Places {
  /** settings.yaml and keys.json */
  config: string;
  /** Where profiles are looked for: the folder of our own first, then the original's where that is another. */
  profiles: readonly string[];
  /** conversations/, one file each */
  conversations: string;
  /** Everything else that is kept: what was spent, models, parts installed on request. */
  data: string;
}

export function places(env: NodeJS.ProcessEnv = process.env, platform = process.platform): Places {
  const name = "open-interpreter";
  const home = env.HOME ?? homedir();
  if (env.INTERPRETER_HOME) return within(env.INTERPRETER_HOME, env.INTERPRETER_HOME);
  if (platform === "darwin") {
    const folder = join(home, "Library", "Application Support", name);
    return within(folder, folder);
  }
  if (platform === "win32") {
    const roaming = env.APPDATA ?? join(home, "AppData", "Roaming");
    const local = env.LOCALAPPDATA ?? join(home, "AppData", "Local");
    return within(join(roaming, name), join(local, name), join(local, name, name, "profiles"));
  }
  return within(
    join(env.XDG_CONFIG_HOME ?? join(home, ".config"), name),
    join(env.XDG_DATA_HOME ?? join(home, ".local", "share"), name),
  );
}

function within(config: string, data: string, ...more: string[]): Places {
  return { config, profiles: [join(config, "profiles"), ...more], conversations: join(data, "conversations"), data };
}
