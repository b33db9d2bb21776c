// What is said instead of how to allow something, where a rule forbids it.

export const denyWins = "A rule that forbids wins over one that allows: change that rule to allow it.";
