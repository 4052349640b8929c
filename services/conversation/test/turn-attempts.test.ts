import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type TurnAttempt } from '@parley/protos/conversation/v1/conversation';
import { useService } from './fixture.ts';
import { REFUSED, newBeginTurn, nextBeginTurn, newEndTurn } from './turn-client.ts';

const attempt = (connectionId: string, outcome: string, over: Partial<TurnAttempt> = {}): TurnAttempt => {
  return { connectionId, outcome, upstreamStatus: 503, words: 'over\0loaded', durationMs: 12, ...over };
};
const FAILED = [attempt('account-1', 'PROVIDER_UNAVAILABLE'), attempt('account-2', 'PROVIDER_RATE_LIMITED', { upstreamStatus: 429 })];

describe('what is stored of a turn besides its answer', () => {
  const service = useService();

  /** A complete turn. */
  async function turn(start: ReturnType<typeof newBeginTurn>, end: Parameters<typeof newEndTurn>[1] = {}) {
    await Promise.all([service.client.begin(start), service.client.end(newEndTurn(start, end))]);
    return start;
  }
  const recalled = async ({ turnId }: { turnId: string }) =>
    (await service.running.stub.recallTurn({ which: { $case: 'turnId', value: turnId } }, { caller: service.client.caller })).turn;
  const storedAttempts = async ({ turnId }: { turnId: string }) =>
    (await service.fixture.sql.query<{ attempts: unknown }>('SELECT attempts FROM turn_ends WHERE turn_id = $1', [turnId])).rows[0]
      ?.attempts;

  it('are stored when there was more than one', async () => {
    const first = await turn(newBeginTurn(), {
      attempts: [...FAILED, attempt('account-3', 'ok', { upstreamStatus: 200, words: '' })],
    });
    await expect(storedAttempts(first)).resolves.toEqual([
      { connection_id: 'account-1', outcome: 'PROVIDER_UNAVAILABLE', upstream_status: 503, words: 'overloaded', duration_ms: 12 },
      { connection_id: 'account-2', outcome: 'PROVIDER_RATE_LIMITED', upstream_status: 429, words: 'overloaded', duration_ms: 12 },
      { connection_id: 'account-3', outcome: 'ok', upstream_status: 200, words: '', duration_ms: 12 },
    ]);
    await expect(storedAttempts(await turn(newBeginTurn()))).resolves.toBeNull();
  });

  it('list the connections that failed the last turn, and when it ended', async () => {
    const first = await turn(newBeginTurn(), { ...REFUSED, attempts: [...FAILED, attempt('account-1', 'PROVIDER_TIMEOUT')] });
    const refused = (await service.client.open(first.conversationId)).lastTurn;
    expect(refused).toMatchObject({ turnId: first.turnId, failedAccountIds: ['account-1', 'account-2'] });
    expect(refused?.endedAt).toBeInstanceOf(Date);
    await expect(recalled(first)).resolves.toMatchObject({ refused: true });
    const second = nextBeginTurn(first);
    await service.client.begin(second);
    const open = (await service.client.open(first.conversationId)).lastTurn;
    expect([open?.failedAccountIds, open?.endedAt]).toEqual([[], undefined]);
    await service.client.end(newEndTurn(second, { attempts: FAILED, status: 'failed', finishReason: 'error' }));
    await expect(service.client.open(first.conversationId)).resolves.toMatchObject({ lastTurn: { failedAccountIds: [] } });
    await expect(recalled(second)).resolves.toMatchObject({ refused: false });
  });

  it('is stored apart from the text: listed, and neither searched nor replayed', async () => {
    const first = await turn(newBeginTurn(), { text: 'The answer is wombat', reasoning: 'Perhaps a numbat\0?' });
    const { conversationId } = first;
    await expect(recalled(first)).resolves.toMatchObject({ text: 'The answer is wombat', reasoning: 'Perhaps a numbat?' });
    await expect(service.client.history(conversationId)).resolves.toEqual(['user: Hello', 'assistant: The answer is wombat']);
    const shown = await service.conversations.messages(conversationId);
    expect(shown.map(({ reasoning }) => reasoning)).toEqual(['', 'Perhaps a numbat?']);
    await expect(service.conversations.message(first.assistantMessageId)).resolves.toMatchObject({ reasoning: 'Perhaps a numbat?' });
    await waitFor(async () => (await service.conversations.search('wombat')).includes(conversationId));
    await expect(service.conversations.search('numbat')).resolves.toEqual([]);
  });
});
