import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const HOOKS = new URL('../../../test/loaded-modules.mjs', import.meta.url).href;
const OPEN = `const { HttpPools } = await import('./http-pools.ts'); const { listSdkProviders } = await import('./ai-sdk/kinds/index.ts');
  const kind = listSdkProviders(new HttpPools(1000)).find(({ name }) => name === 'anthropic');
  await kind.loadModel({ id: 'a', baseUrl: 'http://127.0.0.1', account: '', secret: 's' }, 'm1', fetch);`;

/** The packages of the AI SDK that a process loads which runs this beside the adapters. */
async function loadedBy(script: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@parley/source', '--no-warnings', '--import', HOOKS, '--input-type=module', '--eval', script],
    { cwd: fileURLToPath(new URL('..', import.meta.url)), timeout: 60_000, maxBuffer: 16 * 1024 * 1024 },
  );
  expect(stdout).toContain('/undici/');
  return [...new Set(stdout.match(/(?<=@ai-sdk\/)[\w-]+(?=\/dist\/[\w./-]*$)/gm) ?? [])];
}

describe('the packages of the AI SDK', () => {
  it('are not loaded with the providers', async () => {
    await expect(loadedBy(`await import('./registry.ts')`)).resolves.toEqual([]);
  });

  it('are loaded for the provider that is used, and for no other', async () => {
    const loaded = await loadedBy(OPEN);
    expect(loaded).toContain('anthropic');
    expect(loaded.sort()).toEqual(['anthropic', 'provider', 'provider-utils']);
  });
});
