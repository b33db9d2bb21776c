// One thing that a person can choose.

export interface Option {
  /** As the library and settings files write it, in camel case. */
  name: string;
  /** Long flag without dashes; underscores and hyphens are the same. */
  flag: string;
  short?: string;
  /** Other spellings of the flag, with their dashes. */
  aliases?: readonly string[];
  /**
   * A list is written as YAML's, as a flag given several times, or one to a line in the environment. A size is a number of bytes,
   * or one with its unit: 5GB.
   */
  kind: "boolean" | "text" | "number" | "choice" | "list" | "size";
  choices?: readonly string[];
  /** A boolean that also has a `--no-` form, because "not said" differs from "no". */
  negatable?: boolean;
  /** What a value looks like in the help. */
  value?: string;
  min?: number;
  /** The text is an address on the network. */
  address?: boolean;
  /** What the text must have in it to make sense. */
  contains?: string;
  /** Says something even when it is empty. */
  mayBeEmpty?: boolean;
  help: string;
  /** Says something about this one start only; not for settings files or the environment. */
  once?: boolean;
  /** Nothing of it is ever shown or written. */
  secret?: true;
  /** Known from the original: listed apart, so that the help stays readable. */
  legacy?: true;
  /** What holds instead, said when it is given; not for the value `silentFor`. */
  notice?: string;
  silentFor?: string;
  /** What is meant when the value is left out. */
  without?: string;
  /** A flag that stands for other choices; what is said besides wins over them. */
  means?: Readonly<Record<string, string | boolean>>;
}
