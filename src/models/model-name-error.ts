// Thrown before any request, when a model's name or key cannot be right.

export class ModelNameError extends Error {
  override readonly name = "ModelNameError";
  /** What to do next. */
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}
