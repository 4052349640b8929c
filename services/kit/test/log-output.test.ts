import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const file = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

describe('standard output', () => {
  function logLines(count: number) {
    const args = ['--conditions=@parley/source', '--import', file('load-typescript.mjs'), file('log-lines.ts'), String(count)];
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  }

  it('has every line when the process exits', async () => {
    const child = logLines(20_000);
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const seen = new Set(
      output
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { line: number }).line),
    );
    expect(seen.size).toBe(20_000);
  });

  it('does not keep a process whose reader has gone', async () => {
    const child = logLines(20_000);
    child.stdout.destroy();
    await expect(once(child, 'exit')).resolves.toEqual([3, null]);
  });
});
