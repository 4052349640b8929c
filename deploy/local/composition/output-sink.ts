import { write } from 'node:fs';
import { type LogFile, openLogFile } from '../supervisor/log-file.ts';

const LOUD = new Set(['warn', 'error', 'fatal']);

/** Receives the output of the processes: all goes to one log file, warnings and errors also to the terminal, in one short line each. */
export class OutputSink {
  readonly #file: LogFile;
  readonly #terminal: (line: string) => void;

  private constructor(file: LogFile, terminal: (line: string) => void) {
    this.#file = file;
    this.#terminal = terminal;
  }

  static async open(path: string, terminal: (line: string) => void): Promise<OutputSink> {
    return new OutputSink(await openLogFile(path), terminal);
  }

  /** Writes a line of a process to the log file and, when it is a warning or an error, to the terminal. */
  writeLine(part: string, line: string, stream: 'stdout' | 'stderr'): void {
    const entry = parse(line);
    write(this.#file.fd, `${entry ? line : JSON.stringify({ part, stream, line })}\n`, () => undefined);
    if (entry && !LOUD.has(entry.level)) return;
    if (entry) this.#terminal(`${part}: ${entry.msg}${entry.err?.message ? ` (${entry.err.message})` : ''}`);
    else if (stream === 'stderr') this.#terminal(line);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

interface Entry {
  level: string;
  msg: string;
  err?: { message?: string };
}

function parse(line: string): Entry | undefined {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' && entry !== null && 'level' in entry && 'msg' in entry ? (entry as Entry) : undefined;
  } catch {
    return undefined;
  }
}
