// What came of a cell, in the terms that both sides have.

export interface Outcome {
  stdout: string;
  stderr: string;
  shown: Shown[];
  /** The type of the error that ended the cell. */
  error?: string;
}

/** A displayed value, or the value of the last expression. */
export interface Shown {
  mimes: string[];
  /** text/plain, where both sides are expected to agree on it. */
  text?: string;
}
