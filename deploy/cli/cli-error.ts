/** Exit codes of the command line. */
export const EXIT_CODES = { ok: 0, failed: 1, usage: 2 } as const;

/** What an error of the command line may carry. */
export interface CliErrorOptions extends ErrorOptions {
  /** For scripts; an error of the gateway keeps its own. @default 'FAILED' */
  code?: string;
  /** @default 1 */
  exitCode?: 1 | 2;
}

/** An error with a message that tells a person, in one line, what is wrong and what to do. */
export class CliError extends Error {
  override name = 'CliError';
  readonly code: string;
  readonly exitCode: 1 | 2;

  constructor(message: string, { code = 'FAILED', exitCode = EXIT_CODES.failed, ...options }: CliErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.exitCode = exitCode;
  }
}

/** A command that was called wrongly: exit code 2. */
export function usageError(message: string): CliError {
  return new CliError(message, { code: 'USAGE', exitCode: EXIT_CODES.usage });
}
