import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const file = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

describe('standard output', () => {
  function logLines(count: number) {
    const args = ['--conditions=@parley/source', '--import', file('load-typescript.mjs'), file('log-lines.ts'), String(count)];
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  }

  const readLines = (output: string) =>
    output
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { line: number }).line);

  it('has every line when the process exits', async () => {
    const child = logLines(20_000);
    const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(new Set(readLines(output)).size).toBe(20_000);
  });

  it('cuts no line when the reader starts only at the last flush', async () => {
    const children = Array.from({ length: 4 }, () => logLines(5_000));
    const outputs = await Promise.all(children.map((child) => once(child.stderr, 'data').then(() => text(child.stdout))));
    for (const output of outputs) expect(new Set(readLines(output)).size).toBe(5_000);
  });

  it('does not keep a process whose reader has gone', async () => {
    const child = logLines(20_000);
    child.stdout.destroy();
    await expect(once(child, 'exit')).resolves.toEqual([3, null]);
  });
});
