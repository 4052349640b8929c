import { describe, expect, it } from '@jest/globals';
import { startFakeGateway } from '../../testing/fake-gateway.ts';
import { runCli } from '../../testing/run-cli.ts';

const FAST = { slug: 'fast', account_labels: ['b', 'a'], model: 'small', strategy: 'priority', weights: [] };

describe('parley profiles', () => {
  it('sets a profile with its accounts in order', async () => {
    await using gateway = await startFakeGateway({ 'PUT /admin/v1/route-profiles/fast': { body: FAST } });
    const { stdout } = await runCli(gateway.url, ['profiles', 'set', 'fast', '--account', 'b', '--account', 'a', '--model', 'small']);
    expect(stdout).toBe('Profile fast: b, a, by priority, model small.\n');
    expect(gateway.seen[0]?.body).toEqual({ account_labels: ['b', 'a'], model: 'small' });
  });

  it.each(['set', 'put'])('%s takes accounts with their weights', async (command) => {
    const body = { account_labels: ['a', 'b'], model: null, strategy: 'weighted', weights: [3, 1] };
    await using gateway = await startFakeGateway({ 'PUT /admin/v1/route-profiles/canary': { body: { slug: 'canary', ...body } } });
    const options = ['--accounts', 'a,b', '--strategy', 'weighted', '--weights', '3,1'];
    expect((await runCli(gateway.url, ['profiles', command, 'canary', ...options])).stdout).toBe(
      'Profile canary: a (3), b (1), by weighted.\n',
    );
    expect(gateway.seen[0]?.body).toEqual(body);
  });

  it.each([
    [['--weights', '3,0'], /whole numbers from 1/],
    [['--strategy', 'roulette'], /Allowed choices are priority, weighted, least_loaded/],
  ])('ends with code 2 for %j', async (options, message) => {
    const { code, stderr } = await runCli('http://127.0.0.1:1', ['profiles', 'set', 'canary', ...options]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });

  it('sets a profile for all accounts', async () => {
    await using gateway = await startFakeGateway({
      'PUT /admin/v1/route-profiles/any': { body: { slug: 'any', account_labels: [], model: null, strategy: 'least_loaded', weights: [] } },
    });
    expect((await runCli(gateway.url, ['profiles', 'set', 'any'])).stdout).toBe('Profile any: all accounts, by least_loaded.\n');
    expect(gateway.seen[0]?.body).toEqual({ account_labels: [], model: null });
  });

  it('lists and removes', async () => {
    await using gateway = await startFakeGateway({
      'GET /admin/v1/route-profiles': { body: [FAST] },
      'DELETE /admin/v1/route-profiles/fast': { status: 204 },
    });
    expect((await runCli(gateway.url, ['profiles', 'list'])).stdout).toMatch(/fast +b, a +priority +small\n/);
    expect((await runCli(gateway.url, ['profiles', 'remove', 'fast'])).stdout).toBe('Removed fast.\n');
  });
});
