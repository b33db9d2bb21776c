// Messages of the Jupyter protocol, version 5.3, as both transports carry them.

import { newId } from "../../messages/index.ts";

export type Channel = "shell" | "control" | "stdin" | "iopub";

export interface Header {
  msg_id: string;
  session: string;
  username: string;
  date: string;
  msg_type: string;
  version: string;
}

export interface KernelMessage {
  channel: Channel;
  header: Header;
  /** What it is about: the header of the request; empty for what nobody asked for. */
  parent_header: Partial<Header>;
  metadata: Record<string, unknown>;
  content: Record<string, unknown>;
}

export function newMessage(
  session: string,
  channel: Channel,
  type: string,
  content: Record<string, unknown>,
  parent: Partial<Header> = {},
): KernelMessage {
  return {
    channel,
    header: {
      msg_id: newId(24),
      session,
      username: "interpreter",
      date: new Date().toISOString(),
      msg_type: type,
      version: "5.3",
    },
    parent_header: parent,
    metadata: {},
    content,
  };
}

/** What arrived, with every part in its place; undefined when it is no message. */
export function asMessage(channel: unknown, value: Partial<Record<string, unknown>>): KernelMessage | undefined {
  const header = value.header as Header | undefined;
  if (typeof header?.msg_type !== "string") return undefined;
  return {
    channel: channel as Channel,
    header,
    parent_header: objectOf(value.parent_header),
    metadata: objectOf(value.metadata),
    content: objectOf(value.content),
  };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
