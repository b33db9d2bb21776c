// What a look needs to know besides the block.

export interface SafetyEnvironment {
  /** The working folder: what lies outside it is none of the block's business. */
  cwd: string;
  /** The person's variables: where programs are found, and where home is. */
  env: NodeJS.ProcessEnv;
  /** The person's choice of Python, where they made one. */
  python?: string;
  /** Whether semgrep and bandit are asked, where they are installed. They are, unless this says otherwise. */
  scanners?: boolean;
  /** How long one parser or scanner may take. */
  milliseconds?: number;
  signal?: AbortSignal;
}
