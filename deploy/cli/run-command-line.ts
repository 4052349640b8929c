import { CommanderError } from 'commander';
import { createCliContext } from './cli-context.ts';
import { type CliEnvironment } from './cli-environment.ts';
import { CliError, EXIT_CODES } from './cli-error.ts';
import { createProgram } from './program.ts';

/** Runs one command line and returns its exit code: 0 ok, 1 failed, 2 called wrongly. Never throws. */
export async function runCommandLine(args: readonly string[], environment: CliEnvironment): Promise<number> {
  const json = args.includes('--json');
  const context = createCliContext(environment, json);
  try {
    await createProgram(context).parseAsync([...args], { from: 'user' });
    return context.failed ? EXIT_CODES.failed : EXIT_CODES.ok;
  } catch (error) {
    const { code, message, exitCode } = toCliError(error);
    if (exitCode === EXIT_CODES.ok) return exitCode;
    environment.stderr.write(json ? `${JSON.stringify({ error: { code, message } })}\n` : `parley: ${message}\n`);
    return exitCode;
  }
}

function toCliError(error: unknown): { code: string; message: string; exitCode: number } {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) {
    // Help and version end a run as well, and well.
    if (error.exitCode === 0) return { code: 'OK', message: '', exitCode: EXIT_CODES.ok };
    return { code: 'USAGE', message: complaint(error), exitCode: EXIT_CODES.usage };
  }
  return { code: 'INTERNAL', message: oneLine(error instanceof Error ? error.message : String(error)), exitCode: EXIT_CODES.failed };
}

function complaint(error: CommanderError): string {
  if (error.code === 'commander.help') return 'a command is missing; see: parley help';
  return oneLine(error.message.replace(/^error: /, ''));
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}
