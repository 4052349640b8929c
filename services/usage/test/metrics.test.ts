import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { serve } from '@parley/kit/rpc/serve';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { enableMetrics, readMetrics } from '@parley/kit/telemetry/meter';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { randomUUID } from 'node:crypto';
import { openFixture, publish, turn } from './fixture.ts';

const MINUTE = 60_000;

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  enableMetrics('test');
  fixture = await openFixture();
});
afterAll(() => fixture?.close());

async function valueOf(name: string): Promise<number | undefined> {
  const found = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec((await readMetrics()).text);
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/** A conversation service that knows nothing but tokens. */
function playRecord(sumTokens: Handlers<typeof ConversationServiceService>['sumTokens']) {
  const handlers = { sumTokens } as Partial<Handlers<typeof ConversationServiceService>> as Handlers<typeof ConversationServiceService>;
  return serve(ConversationServiceService, handlers, 'in-process', createLogger({ service: 'usage-test', level: 'silent' }));
}

describe('metrics of usage', () => {
  it('count records, what came again, and tokens by type', async () => {
    await fixture.start();
    const callerIds = { workspaceId: randomUUID(), keyId: randomUUID() };
    const events = [turn(callerIds, { tokensIn: 4, tokensOut: 9 }), turn(callerIds, { tokensIn: 2, tokensOut: 1 })];
    for (const batch of [2, 1]) await publish(fixture.bus, events, batch);
    await waitFor(async () => (await valueOf('parley_usage_duplicates_total')) === 2);
    expect(await valueOf('parley_usage_records_total')).toBe(2);
    expect(await valueOf('parley_usage_tokens_total\\{type="input"\\}')).toBe(6);
    expect(await valueOf('parley_usage_tokens_total\\{type="output"\\}')).toBe(10);
  });

  it('compare the tokens with those of the record, and have no value while it cannot be reached', async () => {
    const at = Math.floor(Date.now() / MINUTE) * MINUTE - 5 * MINUTE;
    const state = { isDown: true, now: Date.now() };
    const record = await playRecord(async ({ since, until }) => {
      if (state.isDown) throw new GatewayError('SERVICE_UNAVAILABLE', 'down');
      const isAsked = (since?.getTime() ?? 0) <= at && at < (until?.getTime() ?? 0);
      return { minutes: isAsked ? [{ minute: new Date(at), tokens: 26 }] : [] };
    });
    await using usage = await fixture.start({ conversationAddress: record.address }, { now: () => new Date(state.now) });
    expect(usage.address).toBeDefined();
    const callerIds = { workspaceId: randomUUID(), keyId: randomUUID() };
    await publish(fixture.bus, [turn(callerIds, { tokensIn: 12, tokensOut: 1, endedAt: new Date(at + 1) })]);
    await waitFor(async () => {
      const { rows } = await fixture.sql.query('SELECT 1 FROM usage_record WHERE key_id = $1', [callerIds.keyId]);
      return rows.length === 1;
    });
    expect(await valueOf('parley_usage_capture_ratio')).toBeUndefined();
    state.isDown = false;
    // A failure is kept for as long as a value.
    expect(await waitFor(() => valueOf('parley_usage_capture_ratio'))).toBe(0.5);
    await publish(fixture.bus, [turn(callerIds, { tokensIn: 12, tokensOut: 1, endedAt: new Date(at + MINUTE - 1) })]);
    await waitFor(async () => (await valueOf('parley_usage_capture_ratio')) === 1);
    await record.close();
  });
});
