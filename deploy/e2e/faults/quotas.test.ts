import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ask } from '../harness/chat.ts';
import { query } from '../harness/database.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { oneGateway } from '../harness/one-gateway.ts';
import { Operator } from '../harness/operator.ts';
import { freeze, killPart, partOf } from '../harness/parts.ts';
import { makeTenant } from '../harness/tenant.ts';

/** A request whose quota cannot be checked is refused soon: it does not wait for the service, which hangs for as long as the test wants. */
const TOLD_MS = 30_000;
const LIMIT = 120;

describe('quotas', () => {
  const gateway = oneGateway({ topology: 'separate' });

  async function tenantWith(requests?: string) {
    const tenant = await makeTenant(gateway);
    if (requests !== undefined) await new Operator(gateway).call('PATCH', `/keys/${tenant.keyId}`, { quotas: { requests } });
    // Its connection has been made, and its block of the quota is in hand.
    expect((await ask(gateway(), { key: tenant.apiKey })).status).toBe(200);
    return tenant;
  }

  it('affect only keys with a quota while the usage service hangs: they spend what is leased and are rejected in time', async () => {
    // An unused lease is returned after a while: the key that has one comes last here, and sends its request first.
    const [free, late, bound] = [await tenantWith(), await tenantWith(), await tenantWith('1000 per 1 day')];
    const thaw = await freeze((await partOf(gateway(), 'usage')).pid);
    try {
      for (const { apiKey: key } of [bound, free]) expect((await ask(gateway(), { key })).status).toBe(200);
      await new Operator(gateway).call('PATCH', `/keys/${late.keyId}`, { quotas: { requests: '5 per 1 day' } });
      const refused = await ask(gateway(), { key: late.apiKey, signal: AbortSignal.timeout(TOLD_MS) });
      expectRefusal(refused, { status: 503, code: 'SERVICE_UNAVAILABLE' });
    } finally {
      thaw();
    }
    await waitFor(async () => (await ask(gateway(), { key: late.apiKey })).status === 200);
  });

  it('are never overspent, however often the edge or the usage service is killed', async () => {
    const { apiKey: key, keyId } = await tenantWith(`${LIMIT} per 1 day`);
    let isOver = false;
    const workers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const answer = await ask(gateway(), { key }).catch(() => undefined);
        isOver ||= answer?.status === 429;
      }
    });
    for (const part of ['edge', 'usage', 'edge'] as const) {
      const before = await turnsOf(keyId);
      await waitFor(async () => isOver || (await turnsOf(keyId)) > before + 5);
      const killed = await killPart(gateway(), part);
      await partOf(gateway(), part, killed);
    }
    await Promise.all(workers);
    expect(await turnsOf(keyId)).toBeLessThanOrEqual(LIMIT);
    // What the edge had in hand when it was killed is all that was wasted.
    expect(await turnsOf(keyId)).toBeGreaterThan(LIMIT / 3);
  });

  const turnsOf = async (keyId: string) =>
    (await query<{ count: number }>(gateway(), 'SELECT count(*)::int FROM conversation.turns WHERE key_id = $1', [keyId]))[0]?.count ?? 0;
});
