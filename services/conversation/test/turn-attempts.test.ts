import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import type { TurnAttempt } from '@parley/protos/conversation/v1/conversation';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { ConversationClient } from './conversation-client.ts';
import { type TurnClient, REFUSED, newBeginTurn, newCaller, nextBeginTurn, newEndTurn } from './turn-client.ts';

const attempt = (connectionId: string, outcome: string, over: Partial<TurnAttempt> = {}): TurnAttempt => {
  return { connectionId, outcome, upstreamStatus: 503, words: 'over\0loaded', durationMs: 12, ...over };
};
const FAILED = [attempt('account-1', 'PROVIDER_UNAVAILABLE'), attempt('account-2', 'PROVIDER_RATE_LIMITED', { upstreamStatus: 429 })];

describe.each([false, true])('what is stored of a turn besides its answer (deferred commit: %s)', (relaxed) => {
  let fixture: Fixture;
  let running: Running;
  let client: TurnClient;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await fixture.start({});
    client = running.as(newCaller());
  });
  afterAll(() => fixture.close());

  /** A complete turn, with a deferred commit or without. */
  async function turn(start: ReturnType<typeof newBeginTurn>, end: Parameters<typeof newEndTurn>[1] = {}) {
    await Promise.all([client.begin(start), client.end(newEndTurn(start, end))]);
    return start;
  }
  const recalled = async ({ turnId }: { turnId: string }) =>
    (await running.stub.recallTurn({ which: { $case: 'turnId', value: turnId } }, { caller: client.caller })).turn;
  const storedAttempts = async ({ turnId }: { turnId: string }) =>
    (await fixture.sql.query<{ attempts: unknown }>('SELECT attempts FROM turn_ends WHERE turn_id = $1', [turnId])).rows[0]?.attempts;

  it('are stored when there was more than one', async () => {
    const first = await turn(newBeginTurn({ relaxed }), {
      attempts: [...FAILED, attempt('account-3', 'ok', { upstreamStatus: 200, words: '' })],
    });
    await expect(storedAttempts(first)).resolves.toEqual([
      { connection_id: 'account-1', outcome: 'PROVIDER_UNAVAILABLE', upstream_status: 503, words: 'overloaded', duration_ms: 12 },
      { connection_id: 'account-2', outcome: 'PROVIDER_RATE_LIMITED', upstream_status: 429, words: 'overloaded', duration_ms: 12 },
      { connection_id: 'account-3', outcome: 'ok', upstream_status: 200, words: '', duration_ms: 12 },
    ]);
    await expect(storedAttempts(await turn(newBeginTurn({ relaxed })))).resolves.toBeNull();
  });

  it('list the connections that failed the last turn, and when it ended', async () => {
    const first = await turn(newBeginTurn({ relaxed }), { ...REFUSED, attempts: [...FAILED, attempt('account-1', 'PROVIDER_TIMEOUT')] });
    const refused = (await client.open(first.conversationId)).lastTurn;
    expect(refused).toMatchObject({ turnId: first.turnId, failedAccountIds: ['account-1', 'account-2'] });
    expect(refused?.endedAt).toBeInstanceOf(Date);
    await expect(recalled(first)).resolves.toMatchObject({ refused: true });
    const second = nextBeginTurn(first);
    await client.begin(second);
    const open = (await client.open(first.conversationId)).lastTurn;
    expect([open?.failedAccountIds, open?.endedAt]).toEqual([[], undefined]);
    await client.end(newEndTurn(second, { attempts: FAILED, status: 'failed', finishReason: 'error' }));
    await expect(client.open(first.conversationId)).resolves.toMatchObject({ lastTurn: { failedAccountIds: [] } });
    await expect(recalled(second)).resolves.toMatchObject({ refused: false });
  });

  it('is stored apart from the text: listed, and neither searched nor replayed', async () => {
    const first = await turn(newBeginTurn({ relaxed }), { text: 'The answer is wombat', reasoning: 'Perhaps a numbat\0?' });
    const { conversationId } = first;
    await expect(recalled(first)).resolves.toMatchObject({ text: 'The answer is wombat', reasoning: 'Perhaps a numbat?' });
    await expect(client.history(conversationId)).resolves.toEqual(['user: Hello', 'assistant: The answer is wombat']);
    const mine = new ConversationClient(running, client.caller);
    const shown = await mine.messages(conversationId);
    expect(shown.map(({ reasoning }) => reasoning)).toEqual(['', 'Perhaps a numbat?']);
    await expect(mine.message(first.assistantMessageId)).resolves.toMatchObject({ reasoning: 'Perhaps a numbat?' });
    await waitFor(async () => (await mine.search('wombat')).includes(conversationId));
    await expect(mine.search('numbat')).resolves.toEqual([]);
  });
});
