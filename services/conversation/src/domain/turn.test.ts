import { describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Caller } from '@parley/protos/common/v1/caller';
import { type BeginTurn, type EndTurn } from '@parley/protos/conversation/v1/conversation';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';
import { toTurnEndedEvent } from './turn-ended-event.ts';
import { toNewTurn, toTurnEnd } from './turn-request.ts';
import { toInterruptedEnd } from './turn.ts';

const caller: Caller = { workspaceId: uuidv7(), keyId: uuidv7(), userId: '', scopes: [], requestId: 'r-1' };
const request: BeginTurn = {
  turnId: uuidv7().toUpperCase(),
  conversationId: uuidv7(),
  newConversation: { title: 'T\0', upstreamAccountId: 'a', upstreamProjectId: '', model: 'auto' },
  sequence: 1,
  messages: [{ id: uuidv7(), role: 'user', text: 'Hi\0', parts: [], files: [] }],
  assistantMessageId: uuidv7(),
  model: 'auto',
  runnerId: uuidv7(),
  idempotencyKey: '',
  requestDigest: Buffer.from([1]),
  upstreamAccountId: 'a',
};
const ending: EndTurn = {
  turnId: uuidv7(),
  conversationId: uuidv7(),
  assistantMessageId: uuidv7(),
  status: 'failed',
  text: 'so far\0',
  finishReason: 'error',
  model: 'm',
  connectionId: 'a',
  tokensIn: 4_294_967_295,
  tokensOut: 2,
  durationMs: 3,
  error: { condition: 'PROVIDER_TIMEOUT', message: 'late\0', retryAfterMs: 4_294_967_295 },
  upstreamState: '',
  artifacts: [],
  attempts: [],
  reasoning: '',
};

describe('a turn to begin', () => {
  it('has the values of the request in storable form', () => {
    expect(toNewTurn(request, caller, new Date(0))).toMatchObject({
      turnId: request.turnId.toLowerCase(),
      workspaceId: caller.workspaceId,
      keyId: caller.keyId,
      userId: null,
      requestId: 'r-1',
      newConversation: { title: 'T', upstreamProjectId: null },
      messages: [{ content: 'Hi', parts: null }],
    });
  });

  it('has a digest with or without an idempotency key, and null when it is empty', () => {
    expect(toNewTurn(request, caller, new Date(0))).toMatchObject({ idempotencyKey: null, requestDigest: request.requestDigest });
    expect(toNewTurn({ ...request, requestDigest: Buffer.alloc(0) }, caller, new Date(0))).toMatchObject({ requestDigest: null });
    expect(toNewTurn({ ...request, idempotencyKey: 'k' }, caller, new Date(0))).toMatchObject({
      idempotencyKey: 'k',
      requestDigest: request.requestDigest,
    });
  });

  it.each([
    ['turn_id', { turnId: '' }],
    ['conversation_id', { conversationId: 'x' }],
    ['assistant_message_id', { assistantMessageId: 'x' }],
    ['runner_id', { runnerId: 'x' }],
    ['sequence', { sequence: 2 }],
    ['sequence', { sequence: 2 ** 31, newConversation: undefined }],
    ['messages', { messages: [{ id: 'x', role: 'user', text: '', parts: [], files: [] }] }],
    ['messages', { messages: [{ id: uuidv7(), role: 'tool', text: '', parts: [], files: [] }] }],
    ['Idempotency-Key', { idempotencyKey: 'k'.repeat(256) }],
  ])('is refused for a bad %s', (param, over) => {
    expect(() => toNewTurn({ ...request, ...over }, caller, new Date(0))).toThrow(
      expect.objectContaining({ condition: 'VALIDATION_ERROR', param }),
    );
  });
});

describe('the end of a turn', () => {
  it('fits the columns', () => {
    expect(toTurnEnd(ending, caller)).toMatchObject({
      text: 'so far',
      tokensIn: 2_147_483_647,
      error: { message: 'late', param: null, retryAfterMs: 2_147_483_647 },
    });
  });

  it('has the times that were reached, and a reason only in a form that is stored', () => {
    const times = { routedMs: 2, committedMs: 2 ** 32 - 1 };
    const none = { askedMs: null, acceptedMs: null, firstTokenMs: null, answeredMs: null };
    expect(toTurnEnd({ ...ending, times, routeReason: 'named' }, caller)).toMatchObject({
      times: { routedMs: 2, committedMs: 2_147_483_647, ...none },
      routeReason: 'named',
    });
    for (const routeReason of [undefined, '', 'No such', 'x'.repeat(33)]) {
      expect(toTurnEnd({ ...ending, routeReason }, caller)).toMatchObject({ times: { routedMs: null, ...none }, routeReason: null });
    }
  });

  it('is one of three outcomes', () => {
    expect(() => toTurnEnd({ ...ending, status: 'streaming' }, caller)).toThrow(expect.objectContaining({ param: 'status' }));
  });

  it('has an event on the subject of its outcome', () => {
    const end = toTurnEnd(ending, caller);
    const event = toTurnEndedEvent(end, new Date('2026-01-02T03:04:05.678Z'));
    expect(event.subject).toBe(EVENT_SUBJECTS.turnFailed);
    expect(EventBatch.decode(event.payload).events).toMatchObject([
      {
        id: event.id,
        payload: {
          $case: 'turnEnded',
          value: {
            turnId: end.turnId,
            messageId: end.assistantMessageId,
            workspaceId: caller.workspaceId,
            keyId: caller.keyId,
            status: 'failed',
            errorCondition: 'PROVIDER_TIMEOUT',
            endedAt: new Date('2026-01-02T03:04:05.678Z'),
          },
        },
      },
    ]);
    expect(toTurnEndedEvent(end, new Date()).id).not.toBe(event.id);
  });

  it('of an abandoned turn is interrupted, with the partial answer and no error', () => {
    const ids = { turnId: 't', conversationId: 'c', assistantMessageId: 'm', workspaceId: 'w', keyId: 'k' };
    const end = toInterruptedEnd({ ...ids, model: 'auto', upstreamAccountId: 'a', ageMs: 21_000.4, text: 'Once' });
    expect(end).toMatchObject({
      ...ids,
      status: 'interrupted',
      text: 'Once',
      durationMs: 21_000,
      connectionId: 'a',
      error: null,
      tokensIn: 0,
    });
    expect(toTurnEndedEvent(end, new Date()).subject).toBe(EVENT_SUBJECTS.turnInterrupted);
  });
});
