/** The terminal output of a start. */
export interface StartReporter {
  /** Starts a step; the step before it has finished. */
  step(text: string): void;
  /** Prints a line: a warning or an error of a process. */
  printLine(line: string): void;
}
