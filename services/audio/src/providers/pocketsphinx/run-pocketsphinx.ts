import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { GatewayError } from '@parley/protos/errors';
import { MODEL_PARTS, type Pocketsphinx } from './find-pocketsphinx.ts';

/** Two hours of fast speech are a tenth of it. */
const MAX_TEXT_BYTES = 2 * 1_024 ** 2;

/** Runs the program on raw samples and gives what it prints. @throws TRANSCRIPTION_FAILED; the signal's reason, once the process is gone */
export function runPocketsphinx({ program, models, libraries }: Pocketsphinx, pcmPath: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const model = (part: string): string => join(models, part);
    // What it logs holds what it hears.
    const args = ['-infile', pcmPath, '-logfn', '/dev/null'];
    args.push('-hmm', model(MODEL_PARTS.acoustic), '-lm', model(MODEL_PARTS.language), '-dict', model(MODEL_PARTS.dictionary));
    // The secrets of this process are nothing to it.
    const env = libraries.length > 0 ? { LD_LIBRARY_PATH: libraries.join(':') } : {};
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    let size = 0;
    const kill = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    child.once('spawn', () => yieldCpu(child.pid));
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_TEXT_BYTES) kill();
      else chunks.push(chunk);
    });
    const end = (cause?: Error): void => {
      signal.removeEventListener('abort', kill);
      if (signal.aborted) reject(signal.reason as Error);
      else if (cause) reject(new GatewayError('TRANSCRIPTION_FAILED', 'the engine for transcription failed', { cause }));
      else resolve(Buffer.concat(chunks).toString('utf8'));
    };
    child.once('error', end);
    child.once('close', (code, how) => end(code === 0 ? undefined : new Error(`it ended with ${code ?? how}`)));
  });
}

/** Calls are answered first. */
function yieldCpu(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already.
  }
}
