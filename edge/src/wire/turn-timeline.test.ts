import { describe, expect, it } from '@jest/globals';
import { type TurnAttempt, type TurnStory } from '@parley/protos/conversation/v1/conversation';
import { toTurnStory } from './turn-story.ts';
import { toTurnTimeline } from './turn-timeline.ts';

const START = new Date('2026-11-20T09:30:00.000Z');
const later = (ms: number) => new Date(START.getTime() + ms);
const NAMES = new Map([
  ['c1', { label: 'main', provider: 'openai-compatible' }],
  ['c2', { label: 'spare', provider: 'sandbox' }],
]);
const attempt = (connectionId: string, outcome: string, over: Partial<TurnAttempt> = {}): TurnAttempt => {
  return { connectionId, outcome, upstreamStatus: 0, words: '', durationMs: 30, ...over };
};

/** A turn that its first connection answered. */
function story(over: Partial<TurnStory> = {}): TurnStory {
  return {
    ...{ turnId: 't', requestId: 'r', conversationId: 'c', workspaceId: 'w', keyId: 'k', sequence: 2, model: 'sandbox-1' },
    ...{ status: 'completed', finishReason: 'stop', tokensIn: 3, tokensOut: 5, durationMs: 90, connectionId: 'c1', routeReason: 'only' },
    startedAt: START,
    endedAt: later(92),
    attempts: [attempt('c1', 'ok')],
    times: { routedMs: 2, committedMs: 5, askedMs: 6, acceptedMs: 40, firstTokenMs: 45, answeredMs: 90 },
    ...over,
  };
}

/** The moments as lines. */
function lines(over: Partial<TurnStory> = {}, names = NAMES): string[] {
  return toTurnTimeline(story(over), names, later(1_234).getTime()).map(({ at_ms, event, detail }) => `${at_ms} ${event}: ${detail}`);
}

describe('the time line of a turn', () => {
  it('goes through edge, routing, record and upstream', () => {
    expect(lines()).toEqual([
      '0 edge.received: request r',
      '2 edge.routed: key, body and quotas were checked',
      '2 routing.chosen: main (openai-compatible): no other connection may take the turn',
      '5 record.begun: turn 2 of conversation c',
      '6 upstream.asked: main (openai-compatible)',
      '40 upstream.accepted: the answer began',
      '45 upstream.first_token: first output',
      '90 upstream.answered: 5 tokens',
      '97 record.ended: completed',
    ]);
  });

  it('has every attempt of a turn that another connection answered', () => {
    const attempts = [attempt('c1', 'PROVIDER_BAD_ANSWER', { upstreamStatus: 502 }), attempt('c2', 'ok')];
    expect(lines({ attempts, times: { routedMs: 2, committedMs: 5, askedMs: 6, acceptedMs: 50, answeredMs: 66 } }).slice(4, -1)).toEqual([
      '6 upstream.asked: main (openai-compatible)',
      '36 upstream.failed: PROVIDER_UNAVAILABLE, HTTP 502',
      '36 upstream.asked: spare (sandbox)',
      '50 upstream.accepted: the answer began',
      '66 upstream.answered: 5 tokens',
    ]);
  });

  it('ends with the failure of a failed turn', () => {
    const error = { condition: 'PROVIDER_TIMEOUT', message: 'late' };
    const failed = { status: 'failed', error, attempts: [attempt('c1', 'PROVIDER_TIMEOUT')] };
    expect(lines({ ...failed, times: { routedMs: 2, committedMs: 5, askedMs: 6, answeredMs: 88 } }).slice(-2)).toEqual([
      '88 upstream.failed: PROVIDER_TIMEOUT',
      '97 record.ended: failed: PROVIDER_TIMEOUT',
    ]);
  });

  it('has no upstream for a turn that came to none', () => {
    const error = { condition: 'NO_HEALTHY_SESSION', message: 'none' };
    expect(lines({ status: 'failed', error, attempts: [], times: { routedMs: 2, committedMs: 5 } }).slice(3)).toEqual([
      '5 record.begun: turn 2 of conversation c',
      '97 record.ended: failed: NO_HEALTHY_SESSION',
    ]);
  });

  it('counts from the start of a turn without times, as of one that is streaming', () => {
    expect(lines({ status: 'streaming', endedAt: undefined, attempts: [], times: {}, routeReason: '' }, new Map())).toEqual([
      '0 routing.chosen: connection c1',
      '0 record.begun: turn 2 of conversation c',
      '1234 turn.streaming: the turn has not ended',
    ]);
    expect(lines({ status: 'interrupted', times: {}, attempts: [attempt('c1', 'interrupted', { durationMs: 92 })] })).toEqual([
      '0 routing.chosen: main (openai-compatible): no other connection may take the turn',
      '0 record.begun: turn 2 of conversation c',
      '0 upstream.asked: main (openai-compatible)',
      '92 record.ended: interrupted',
    ]);
  });
});

describe('the wire form of a turn', () => {
  it('has codes instead of conditions, and null for what is unknown', () => {
    const error = { condition: 'PROVIDER_BAD_ANSWER', message: 'the answer is not one' };
    const shown = toTurnStory(story({ error, status: 'failed', finishReason: '', routeReason: 'of a later release', times: {} }), NAMES, 0);
    expect(shown).toMatchObject({
      ...{ error: { code: 'PROVIDER_UNAVAILABLE', message: 'the answer is not one' }, finish_reason: null },
      ...{ route_reason: 'of a later release', route_explanation: null, connection: { id: 'c1', label: 'main' } },
      times: { routed_ms: null, answered_ms: null },
      attempts: [{ connection: { provider: 'openai-compatible' }, upstream_status: null, upstream_message: null }],
    });
    expect(toTurnStory(story(), new Map(), 0).connection).toEqual({ id: 'c1', label: null, provider: null });
  });
});
