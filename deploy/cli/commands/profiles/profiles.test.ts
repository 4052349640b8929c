import { describe, expect, it } from '@jest/globals';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { runCli } from '../../testing/run-cli.ts';

const FAST = { slug: 'fast', account_labels: ['b', 'a'], model: 'small' };

describe('parley profiles', () => {
  it('sets a profile with its accounts in order', async () => {
    await using gateway = await startFakeGateway({ 'PUT /admin/v1/route-profiles/fast': { body: FAST } });
    const { stdout } = await runCli(gateway.url, ['profiles', 'set', 'fast', '--account', 'b', '--account', 'a', '--model', 'small']);
    expect(stdout).toBe('Profile fast: b, a, model small.\n');
    expect(gateway.seen[0]?.body).toEqual({ account_labels: ['b', 'a'], model: 'small' });
  });

  it('sets a profile for all accounts', async () => {
    await using gateway = await startFakeGateway({
      'PUT /admin/v1/route-profiles/any': { body: { slug: 'any', account_labels: [], model: null } },
    });
    expect((await runCli(gateway.url, ['profiles', 'set', 'any'])).stdout).toBe('Profile any: all accounts.\n');
    expect(gateway.seen[0]?.body).toEqual({ account_labels: [], model: null });
  });

  it('lists and removes', async () => {
    await using gateway = await startFakeGateway({
      'GET /admin/v1/route-profiles': { body: [FAST] },
      'DELETE /admin/v1/route-profiles/fast': { status: 204 },
    });
    expect((await runCli(gateway.url, ['profiles', 'list'])).stdout).toMatch(/fast +b, a +small\n/);
    expect((await runCli(gateway.url, ['profiles', 'remove', 'fast'])).stdout).toBe('Removed fast.\n');
  });
});
