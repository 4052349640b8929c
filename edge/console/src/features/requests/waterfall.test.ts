import { describe, expect, it } from '@jest/globals';
import { type Turn } from './queries/turns.ts';
import { toTurnDurationMs, toSpans } from './waterfall.ts';

const on = (label: string) => ({ id: label, label, provider: 'sandbox' });
const turn = (facts: Partial<Turn>): Turn => ({
  ...{ turn_id: 't', request_id: 'r', conversation_id: 'c', workspace_id: 'w', key_id: 'k', sequence: 1, model: 'm' },
  ...{ connection: on('main'), status: 'completed', finish_reason: 'stop', error: null, tokens_in: 1, tokens_out: 2 },
  ...{ started_at: '2026-11-20T09:30:00.000Z', ended_at: null, duration_ms: 900, route_reason: 'only', route_explanation: null },
  attempts: [{ connection: on('main'), outcome: 'ok', upstream_status: null, upstream_message: null, duration_ms: 894 }],
  times: { routed_ms: 2, committed_ms: 5, asked_ms: 6, accepted_ms: 180, first_token_ms: 210, answered_ms: 900 },
  timeline: [{ at_ms: 910, event: 'record.ended', detail: 'completed' }],
  ...facts,
});
const drawn = (of: Turn) => toSpans(of).map(({ name, start, end, failure }) => [name, start, end, failure]);

describe('the parts of a turn', () => {
  it('follow each other from the edge to the record', () => {
    expect(drawn(turn({}))).toEqual([
      ['checks', 0, 2, undefined],
      ['begin', 2, 6, undefined],
      ['accept', 6, 180, undefined],
      ['firstToken', 180, 210, undefined],
      ['answer', 210, 900, undefined],
      ['end', 900, 910, undefined],
    ]);
    expect(toTurnDurationMs(turn({}))).toBe(910);
  });

  it('show a failed attempt before the one that answered', () => {
    const failed = {
      connection: on('first'),
      outcome: 'PROVIDER_UNAVAILABLE',
      upstream_status: 503,
      upstream_message: null,
      duration_ms: 50,
    };
    const answered = { connection: on('second'), outcome: 'ok', upstream_status: null, upstream_message: null, duration_ms: 800 };
    const names = drawn(turn({ attempts: [failed, answered] }));
    expect(names.slice(2, 4)).toEqual([
      ['attempt', 6, 56, 'PROVIDER_UNAVAILABLE'],
      ['accept', 56, 180, undefined],
    ]);
  });

  it('are those that are known of a turn without times', () => {
    const none = { routed_ms: null, committed_ms: null, asked_ms: null, accepted_ms: null, first_token_ms: null, answered_ms: null };
    expect(drawn(turn({ times: none, attempts: [], timeline: [] }))).toEqual([]);
  });
});
