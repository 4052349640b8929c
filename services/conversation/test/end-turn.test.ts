import { describe, expect, it } from '@jest/globals';
import { ConversationClient } from './conversation-client.ts';
import { TRANSPORTS, useService } from './fixture.ts';
import { newBeginTurn, newCaller, newEndTurn, nextBeginTurn } from './turn-client.ts';

describe.each(TRANSPORTS)('ending a turn, %s', (listen) => {
  const service = useService({ listen });

  async function stored(conversationId: string) {
    const { rows } = await service.fixture.sql.query<Record<string, unknown>>('SELECT * FROM conversations WHERE id = $1', [
      conversationId,
    ]);
    return rows[0];
  }

  it('commits the answer, the outcome, the state and the last activity', async () => {
    const first = newBeginTurn();
    await service.client.begin(first);
    const before = await stored(first.conversationId);
    await expect(service.client.end(newEndTurn(first, { upstreamState: 'state-1' }))).resolves.toBe(true);
    await expect(service.client.history(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: Hi there']);
    const after = await stored(first.conversationId);
    expect(after).toMatchObject({ message_count: 2, upstream_state: 'state-1' });
    expect(Number(after?.last_message_at)).toBeGreaterThanOrEqual(Number(before?.last_message_at));
    const { rows } = await service.fixture.sql.query('SELECT * FROM turn_ends WHERE turn_id = $1', [first.turnId]);
    expect(rows).toMatchObject([{ status: 'completed', finish_reason: 'stop', tokens_in: 3, tokens_out: 5, duration_ms: 120 }]);
  });

  it('keeps the newest upstream state when a turn reports none', async () => {
    const first = await service.client.turn(newBeginTurn(), { upstreamState: 'state-1' });
    await service.client.turn(nextBeginTurn(first), { upstreamState: '', status: 'failed' });
    await expect(service.client.open(first.conversationId)).resolves.toMatchObject({
      upstreamState: 'state-1',
      lastSequence: 2,
      busy: false,
    });
  });

  it('is idempotent, and reports a different outcome', async () => {
    const first = newBeginTurn();
    await service.client.begin(first);
    await expect(service.client.end(newEndTurn(first))).resolves.toBe(true);
    await expect(service.client.end(newEndTurn(first))).resolves.toBe(true);
    await expect(service.client.end(newEndTurn(first, { text: 'Another answer' }))).resolves.toBe(false);
    await expect(service.client.end(newEndTurn(first, { status: 'interrupted' }))).resolves.toBe(false);
    await expect(service.client.history(first.conversationId)).resolves.toHaveLength(2);
    const { rows } = await service.fixture.sql.query('SELECT message_count FROM conversations WHERE id = $1', [first.conversationId]);
    expect(rows).toEqual([{ message_count: 2 }]);
  });

  it('stores a failed turn without text, with its error', async () => {
    const error = { condition: 'PROVIDER_UNAVAILABLE', message: 'down', param: 'model' };
    const first = await service.client.turn(newBeginTurn(), { status: 'failed', text: '', error });
    await expect(new ConversationClient(service.running, service.client.caller).said(first.conversationId)).resolves.toEqual([
      'user: Hello',
      'assistant: ',
    ]);
    await expect(service.client.history(first.conversationId)).resolves.toEqual([]);
    const { rows } = await service.fixture.sql.query('SELECT * FROM turn_ends WHERE turn_id = $1', [first.turnId]);
    expect(rows).toMatchObject([
      { error_condition: 'PROVIDER_UNAVAILABLE', error_message: 'down', error_param: 'model', error_retry_after_ms: null },
    ]);
  });

  it('accepts text that PostgreSQL cannot store', async () => {
    const first = newBeginTurn();
    await service.client.begin(first);
    const end = newEndTurn(first, { text: 'a\0b \ud83d c', finishReason: 'st\0op' });
    await expect(service.client.end(end)).resolves.toBe(true);
    await expect(service.client.end(end)).resolves.toBe(true);
    await expect(service.client.history(first.conversationId)).resolves.toEqual(['user: Hello', 'assistant: ab \ufffd c']);
  });

  it('rejects turns of another key, and unknown ones', async () => {
    const first = newBeginTurn();
    await service.client.begin(first);
    await expect(service.running.as(newCaller()).end(newEndTurn(first))).rejects.toMatchObject({ condition: 'CONVERSATION_ACCESS_DENIED' });
    await expect(service.client.end(newEndTurn(newBeginTurn()))).rejects.toMatchObject({ condition: 'CONVERSATION_NOT_FOUND' });
    await expect(service.client.end(newEndTurn(first, { status: 'streaming' }))).rejects.toMatchObject({ condition: 'VALIDATION_ERROR' });
    await expect(service.client.open(first.conversationId)).resolves.toMatchObject({ busy: true });
  });

  it('waits for a start that is still being written', async () => {
    const first = newBeginTurn();
    const [begun, closed] = await Promise.all([service.client.begin(first), service.client.end(newEndTurn(first))]);
    expect([begun.outcome, closed]).toEqual(['begun', true]);
  });
});
