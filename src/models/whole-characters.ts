// Keeps a character that arrives in two halves together: no text ever ends with half an emoji.

import type { ModelEvent } from "./types.ts";

export function joinCharacters(emit: (event: ModelEvent) => void): (event: ModelEvent) => void {
  let half = "";
  return (event) => {
    if (event.type !== "text-delta" && event.type !== "code-delta" && event.type !== "reasoning-delta") {
      half = "";
      return emit(event);
    }
    const text = half + event.text;
    const last = text.charCodeAt(text.length - 1);
    half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : "";
    const whole = text.slice(0, text.length - half.length);
    if (whole) emit({ ...event, text: whole });
  };
}
