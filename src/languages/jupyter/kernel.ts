// A kernel as a session sees it, wherever it runs: a place to send messages to and to hear them from.

import type { Channel, Header, KernelMessage } from "./message.ts";

export interface Kernel {
  /** Sends a request and returns its header. What is sent while the connection is away goes when it is back. */
  send(channel: Channel, type: string, content: Record<string, unknown>, parent?: Partial<Header>): Header;
  /** Asks the kernel to stop what it runs, in the way it wants to be asked. */
  interrupt(): void;
  /** Ends the kernel, which is then gone for the reason given. */
  kill(because: string): void;
  /** Ends the kernel in peace and everything that was made for it. */
  close(): Promise<void>;
  /** Says whether the kernel itself has nothing to do; only kernels whose connection can break know. */
  isIdle?(): Promise<boolean>;
}

/** What a kernel tells its session. */
export interface KernelListener {
  message(message: KernelMessage): void;
  /** The connection broke and is there again; what was said meanwhile may be lost. */
  reconnected(): void;
  /** The kernel is no more. */
  gone(end: KernelEnd): void;
}

export interface KernelEnd {
  /** In plain words, without a full stop. */
  explanation: string;
  exitCode?: number | null;
  /** The end of what its process wrote to stderr, past the protocol. */
  lastWords?: string;
}
