import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { enableMetrics } from '@parley/kit/telemetry/meter';
import { NOOP_SPAN } from '@parley/kit/telemetry/span';
import { GatewayError } from '@parley/protos/errors';
import { readSample } from '../../test/read-sample.ts';
import { type TurnAttempts } from './turn-attempts.ts';
import { TurnClock } from './turn-clock.ts';
import { type TurnContext } from './turn-context.ts';
import { type TurnOutcome } from './turn-end.ts';
import { reportTurn } from './turn-telemetry.ts';

describe('reportTurn', () => {
  beforeAll(() => enableMetrics('test'));
  let model = '';
  let count = 0;
  beforeEach(() => {
    model = `m${++count}`;
    jest.useFakeTimers({ doNotFake: ['setTimeout', 'setImmediate', 'nextTick', 'queueMicrotask'] });
  });
  afterEach(() => void jest.useRealTimers());

  /** A turn that is 40 ms at the edge, is asked after 10 ms, says its first word after 100 ms more and its last after 200 ms more; then it is committed. */
  function report({ stream = true, tokensOut = 5, ...over }: Partial<TurnOutcome> & { stream?: boolean; tokensOut?: number } = {}): void {
    const clock = new TurnClock(40);
    jest.advanceTimersByTime(10);
    clock.note('asked');
    jest.advanceTimersByTime(100);
    clock.note('firstToken');
    jest.advanceTimersByTime(200);
    clock.note('answered');
    jest.advanceTimersByTime(15);
    const outcome: TurnOutcome = { status: 'completed', isAccepted: true, finishReason: 'stop', upstreamState: '', ...over };
    const row = { id: 'c', label: 'main', provider: 'bedrock', baseUrl: 'https://example.com' };
    const attempts = { upstreamMs: 300, route: { connection: { row }, model } } as unknown as TurnAttempts;
    const context = { clock, request: { stream }, span: NOOP_SPAN } as unknown as TurnContext;
    reportTurn(context, { outcome, attempts, usage: { tokensIn: 7, tokensOut }, error: outcome.error });
  }
  const seconds = (name: string) => readSample(`${name}_sum`, { gen_ai_provider_name: 'aws.bedrock', gen_ai_request_model: model });

  it('measures a turn from its first attempt, and what the gateway adds from the head of the request', async () => {
    report();
    await expect(seconds('gen_ai_server_request_duration_seconds')).resolves.toBeCloseTo(0.3);
    await expect(seconds('gen_ai_server_time_to_first_token_seconds')).resolves.toBeCloseTo(0.1);
    await expect(seconds('gen_ai_server_time_per_output_token_seconds')).resolves.toBeCloseTo(0.05);
    await expect(readSample('parley_turn_added_seconds_sum')).resolves.toBeCloseTo(0.065);
  });

  it.each<[string, Parameters<typeof report>[0]]>([
    ['that is whole', { stream: false }],
    ['of one token', { tokensOut: 1 }],
    ['that broke off', { status: 'failed', error: new GatewayError('PROVIDER_TIMEOUT', 'silent') }],
  ])('does not divide an answer %s by its tokens', async (_name, over) => {
    report(over);
    await expect(seconds('gen_ai_server_request_duration_seconds')).resolves.toBeCloseTo(0.3);
    await expect(seconds('gen_ai_server_time_per_output_token_seconds')).resolves.toBeUndefined();
  });

  it('does not count the error of a turn that its client has left', async () => {
    report({ status: 'interrupted', error: new GatewayError('CANCELLED', 'gone') });
    await expect(readSample('parley_turns_total', { status: 'interrupted' })).resolves.toBe(1);
    await expect(readSample('parley_turn_errors_total', { condition: 'CANCELLED' })).resolves.toBeUndefined();
  });
});
