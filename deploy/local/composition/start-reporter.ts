/** The terminal output of a start. */
export interface StartReporter {
  /** Begins a step of the start; the step before it is done. */
  step(text: string): void;
  /** A warning or an error of a part. */
  say(line: string): void;
}
