import { copyFile, type FileHandle, open, readFile, stat, truncate } from 'node:fs/promises';

const CHECK_EVERY_MS = 60_000;

/** A log file to whose descriptor a child writes directly, so that it never waits for this process and still logs without it. */
export interface LogFile {
  readonly fd: number;
  /** Resolves with the last lines, for an error message. */
  tail(lines: number): Promise<string[]>;
  close(): Promise<void>;
}

/** Opens `file` for appending and limits it to about `maxBytes`; the previous content is kept as `<file>.1`. */
export async function openLogFile(file: string, maxBytes = 8 * 1024 * 1024): Promise<LogFile> {
  await bound(file, maxBytes);
  const handle: FileHandle = await open(file, 'a', 0o600);
  // Writers append, so they continue at the new end after truncation.
  const timer = setInterval(() => void bound(file, maxBytes).catch(() => undefined), CHECK_EVERY_MS).unref();
  return {
    fd: handle.fd,
    tail: async (lines) => (await readFile(file, 'utf8')).trimEnd().split('\n').slice(-lines),
    close: async () => {
      clearInterval(timer);
      await handle.close();
    },
  };
}

async function bound(file: string, maxBytes: number): Promise<void> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (size <= maxBytes) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}
