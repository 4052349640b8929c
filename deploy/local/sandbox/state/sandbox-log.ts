import { closeSync, createReadStream, existsSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { stateChangeSchema, type StateChange } from './state-changes.ts';

const FILE = 'sandbox.jsonl';

function parseLine(line: string): StateChange | undefined {
  try {
    return stateChangeSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** An append-only log of JSON lines. Lines are written once per event-loop turn, without fsync. */
export class SandboxLog {
  private readonly file: number;
  private readonly onError: (error: unknown) => void;
  private pending = '';
  private unwritten: Buffer = Buffer.alloc(0);
  private flushing: NodeJS.Immediate | undefined;

  private constructor(file: number, onError: (error: unknown) => void) {
    this.file = file;
    this.onError = onError;
  }

  /** Reads the log of a folder, passes every state change to `replay`, and opens it for appending. Skips invalid lines. */
  static async open(dataDir: string, replay: (entry: StateChange) => void, onError: (error: unknown) => void): Promise<SandboxLog> {
    mkdirSync(dataDir, { recursive: true });
    const path = join(dataDir, FILE);
    if (existsSync(path)) {
      for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
        const entry = parseLine(line);
        if (entry !== undefined) replay(entry);
      }
    }
    // Only readable by this account: the log contains passwords and sessions, even though of simulated accounts.
    const sandboxLog = new SandboxLog(openSync(path, 'a', 0o600), onError);
    // A new line first: a line that a kill has truncated must not be joined with the next entry.
    sandboxLog.pending = '\n';
    return sandboxLog;
  }

  append(entry: StateChange): void {
    this.pending += `${JSON.stringify(entry)}\n`;
    this.flushing ??= setImmediate(() => this.flush());
  }

  close(): void {
    this.flush();
    closeSync(this.file);
  }

  private flush(): void {
    clearImmediate(this.flushing);
    this.flushing = undefined;
    this.unwritten = Buffer.concat([this.unwritten, Buffer.from(this.pending)]);
    this.pending = '';
    try {
      while (this.unwritten.length > 0) this.unwritten = this.unwritten.subarray(writeSync(this.file, this.unwritten));
    } catch (error) {
      // A full disk must not stop the upstream: the rest is written with the next entry.
      this.onError(error);
    }
  }
}
