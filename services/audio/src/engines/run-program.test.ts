import { describe, expect, it } from '@jest/globals';
import { type ProgramRun, runProgram } from './run-program.ts';

const NEVER = new AbortController().signal;

/** Runs a script of the shell. */
const run = (script: string, part: Partial<ProgramRun> = {}, signal = NEVER) =>
  runProgram({ program: '/bin/sh', args: ['-c', script], maxBytes: 1_000, ...part }, signal);

describe('runProgram', () => {
  it('returns the output of a program, and passes no environment', async () => {
    await expect(run('cat; printf " %s" "$A$HOME$DATABASE_URL"', { input: 'Grüße', env: { A: 'a' } })).resolves.toEqual(
      Buffer.from('Grüße a'),
    );
  });

  it('has nothing to read without an input', async () => {
    await expect(run('cat')).resolves.toHaveLength(0);
  });

  it.each([
    ['ends badly', 'exit 3', {}, 'it ended with 3'],
    ['prints too much', 'exec cat /dev/zero', {}, 'it ended with SIGKILL'],
    ['takes too long', 'while :; do :; done', { timeoutMs: 50 }, 'it ended with SIGKILL'],
    ['is not there', '', { program: '/nowhere/at-all' }, 'ENOENT'],
  ])('fails when it %s', async (_name, script, part, message) => {
    await expect(run(script, part)).rejects.toThrow(message);
  });

  it('outlives a program that reads nothing', async () => {
    await expect(run('echo done', { input: 'a'.repeat(1_000_000) })).resolves.toEqual(Buffer.from('done\n'));
  });

  it('does not start when the signal has already aborted', async () => {
    await expect(run('echo x', {}, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
  });
});
