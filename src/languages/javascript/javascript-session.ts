// A JavaScript session: each block is rewritten here, then run by the driver.

import type { DriverSession } from "../driver-session.ts";
import type { Completion, Variable } from "../inspection.ts";
import type { Hold, Session, SessionEvent, SessionOptions } from "../language.ts";
import {
  type BlockFacts,
  type Restored,
  type RestoreRequest,
  type Room,
  readRestored,
  readSavedState,
  type SavedName,
  type SavedState,
  StateError,
} from "../state.ts";
import type { BlockSyntaxError } from "./block-syntax-error.ts";
import type { Definition } from "./definitions.ts";
import type { Declared, Rewriter } from "./rewrite.ts";

/** What may be remembered before a block, in bytes. */
const mostHeld: Room = { value: 10_000_000, total: 10_000_000 };

/** How the session is begun anew. */
interface Beginning {
  begin(): Promise<DriverSession>;
  makeRewriter(): Promise<Rewriter>;
}

export class JavaScriptSession implements Session {
  readonly language = "javascript";
  #driver: DriverSession;
  #rewriter: Promise<Rewriter>;
  readonly #beginning: Beginning;
  readonly #options: SessionOptions;
  /** By name, what its text makes again; oldest first. */
  readonly #definitions = new Map<string, Definition>();
  /** By name, the beginning of the statement that declared it. */
  readonly #made = new Map<string, string>();
  #rewriting = false;
  #stopped = false;

  constructor(driver: DriverSession, rewriter: Promise<Rewriter>, options: SessionOptions, beginning: Beginning) {
    this.#driver = driver;
    this.#beginning = beginning;
    this.#rewriter = rewriter;
    this.#options = options;
  }

  get description(): string {
    return this.#driver.description;
  }

  get alive(): boolean {
    return this.#driver.alive;
  }

  get pid(): number {
    return this.#driver.pid;
  }

  async *run(code: string, name: string): AsyncIterable<SessionEvent> {
    this.#rewriting = true;
    this.#stopped = false;
    let unit: string;
    try {
      const { declared, ...rest } = await (await this.#rewriter).rewrite(code);
      this.#remember(declared);
      unit = JSON.stringify(rest);
    } catch (error) {
      const { name: kind, message } = error as Error;
      const traceback = (error as Partial<BlockSyntaxError>).traceback?.(name) ?? `${kind}: ${message}`;
      yield { type: "error", name: kind, message, traceback };
      yield { type: "end", status: "error" };
      return;
    } finally {
      this.#rewriting = false;
    }
    if (this.#stopped) yield { type: "end", status: "interrupted" };
    else yield* this.#driver.run(unit, name);
  }

  interrupt(): void {
    if (this.#rewriting) this.#stopped = true;
    else this.#driver.interrupt();
  }

  inspect(): Promise<Variable[]> {
    return this.#driver.inspect();
  }

  complete(code: string, cursor: number): Promise<Completion> {
    return this.#driver.complete(code, cursor);
  }

  save(folder: string, most: Room): Promise<SavedState> {
    return this.#save(folder, most, false);
  }

  /** There is no way back where something would be lost on it. */
  async hold(): Promise<Hold | undefined> {
    const { PrivateFolder } = await import("../custom/private-folder.ts");
    const folder = new PrivateFolder();
    let state: SavedState;
    try {
      state = await this.#save(folder.path, mostHeld, true);
    } catch {
      folder.remove();
      return undefined;
    }
    const { active = [] } = state.details as { active?: string[] };
    if (active.length > 0 || state.names.some(({ gone }) => gone !== undefined)) {
      folder.remove();
      return undefined;
    }
    return {
      drop: async () => folder.remove(),
      bringBack: () => this.#beginAnew(folder.path, state).finally(() => folder.remove()),
    };
  }

  /** Another process with what this one held. */
  async #beginAnew(folder: string, state: SavedState): Promise<string[]> {
    await this.#driver.close();
    try {
      [this.#driver, this.#rewriter] = [await this.#beginning.begin(), this.#beginning.makeRewriter()];
    } catch (error) {
      throw new StateError((error as Error).message);
    }
    this.#definitions.clear();
    this.#made.clear();
    const { gone, notes } = await this.restore({ folder, state, later: [] });
    return [...gone.map(({ name, gone: why }) => `${name} could not be brought back: ${why}.`), ...notes];
  }

  async #save(folder: string, most: Room, brief: boolean): Promise<SavedState> {
    const known = [...this.#definitions];
    const { env: environment, cwd } = this.#options;
    const answer = await this.#driver.askState({
      do: "save",
      folder,
      most,
      environment,
      cwd,
      brief,
      made: Object.fromEntries(known.flatMap(([name, { made }]) => (made === undefined ? [] : [[name, made]]))),
      imported: known.filter(([, { kind }]) => kind === "import").map(([name]) => name),
    });
    const state = readSavedState(answer);
    const names = new Set(state.names.filter(({ gone }) => gone === undefined).map(({ name }) => name));
    const sources = known.filter(([name]) => names.has(name)).map(([, { source }]) => source);
    return {
      ...state,
      names: state.names.map((each) => ({ ...each, ...this.#madeBy(each) })),
      details: { ...(state.details as object), sources: [...new Set(sources)] },
    };
  }

  async restore({ folder, state }: RestoreRequest, signal?: AbortSignal): Promise<Restored> {
    const stop = () => this.interrupt();
    for (const { name, made } of state.names) if (made) this.#made.set(name, made);
    signal?.addEventListener("abort", stop);
    try {
      for (const source of (state.details as { sources: string[] }).sources)
        if (!signal?.aborted) for await (const _ of this.run(source, "<earlier block>"));
      return readRestored(await this.#driver.askState({ do: "restore", folder, ...state }, signal));
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  async blockFacts(blocks: readonly string[]): Promise<BlockFacts[]> {
    const { factsOfBlock } = await import("./block-facts.ts");
    return Promise.all(blocks.map(factsOfBlock));
  }

  /** How it was made; not for a secret, which may be in the statement. */
  #madeBy({ name, gone }: SavedName): Pick<SavedName, "made"> {
    const made = gone?.startsWith("secret") ? undefined : this.#made.get(name);
    return made ? { made } : {};
  }

  #remember({ made, definitions }: Declared): void {
    for (const [name, statement] of made) {
      this.#definitions.delete(name);
      this.#made.set(name, statement);
    }
    for (const definition of definitions) for (const name of definition.names) this.#definitions.set(name, definition);
  }

  close(): Promise<void> {
    return this.#driver.close();
  }
}
