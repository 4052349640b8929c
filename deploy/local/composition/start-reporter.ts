/** The terminal output of a start. */
export interface StartReporter {
  /** Starts a step; the step before it has finished. */
  step(text: string): void;
  /** Shows a warning or an error of a part. */
  printLine(line: string): void;
}
