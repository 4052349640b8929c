import { describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { inConsole } from '../harness/console.ts';
import { oneSharedGateway } from '../harness/one-gateway.ts';
import { makePerson } from '../harness/person.ts';
import { makeTenant } from '../harness/tenant.ts';

const MOST_BYTES = 200 * 1024;

describe('the first load of the console', () => {
  const gateway = oneSharedGateway('single');
  const open = inConsole(gateway);

  it.each(['sign-in', 'home'])('has at most 200 KB of script, compressed: %s', async (name) => {
    const { workspaceId } = await makeTenant(gateway);
    const person = await makePerson(gateway(), { roles: { [workspaceId]: 'owner' } });
    const { page, go } = await open(name === 'home' ? { person } : {});
    const scripts: Promise<readonly [string, number]>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return;
      scripts.push(response.body().then((body) => [new URL(response.url()).pathname, gzipSync(body).length] as const));
    });
    if (name === 'home') await go('/', workspaceId);
    else await go('/sign-in');
    await page.waitForLoadState('networkidle');
    const sizes = await Promise.all(scripts);
    const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
    // A failure lists the files.
    expect({ sizes, isSmall: total <= MOST_BYTES }).toEqual({ sizes, isSmall: true });
    expect(sizes.length).toBeGreaterThan(0);
  });
});
