// Ids for blocks, conversations and marks: short, and unlikely enough to repeat. They keep no secret, so they need no
// cryptography, whose loading would be felt at every start.

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function newId(length = 9): string {
  return Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join("");
}
