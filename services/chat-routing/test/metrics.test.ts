import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { enableMetrics } from '@parley/kit/telemetry/meter';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type CreateConnectionRequest } from '@parley/protos/routing/v1/routing';
import { TestUpstream } from '../src/providers/testing/upstream.ts';
import { type Client, turnRequest } from './client.ts';
import { connectAccount, type TestFixture, newCaller, openFixture, type Running } from './fixture.ts';
import { answering, beginning, refusing } from './openai-script.ts';
import { readSample } from './read-sample.ts';

describe('the metrics of turns', () => {
  let fixture: TestFixture;
  let running: Running;
  let client: Client;
  let other: TestUpstream;
  let label: string;
  let count = 0;
  beforeAll(async () => {
    enableMetrics('test');
    fixture = await openFixture();
    running = await fixture.start();
    other = await new TestUpstream().listen();
  });
  afterAll(async () => {
    await other.close();
    await fixture.close();
  });
  /** Every test has a label and a model of its own, and so series of its own. */
  beforeEach(async () => {
    client = running.as(newCaller());
    label = `c${++count}`;
    fixture.upstream.script = answering('Hi there');
    await connect();
  });

  const connect = (over: Partial<CreateConnectionRequest> = {}) =>
    connectAccount(fixture, running, client.caller, { label, models: [label], ...over });
  const ofConnection = () => ({ connection: label, provider: 'openai-compatible' });
  const ofModel = () => ({ gen_ai_operation_name: 'chat', gen_ai_provider_name: 'openai-compatible', gen_ai_request_model: label });
  /** How much counters grow while something happens. */
  async function growth(names: [string, Record<string, string>?][], work: () => Promise<unknown>): Promise<number[]> {
    const read = () => Promise.all(names.map(([name, labels]) => readSample(name, labels)));
    const before = await read();
    await work();
    const after = await read();
    return after.map((value = 0, at) => value - (before[at] ?? 0));
  }

  it('count a turn that is answered: times, tokens and the attempt', async () => {
    const grown = await growth(
      [
        ['parley_turns_total', { status: 'completed' }],
        ['parley_turn_added_seconds_count'],
        ['parley_upstream_tokens_total', { type: 'input' }],
        ['parley_upstream_tokens_total', { type: 'output' }],
        ['parley_attempts_total', { ...ofConnection(), outcome: 'ok' }],
        ['gen_ai_server_request_duration_seconds_count', { ...ofModel(), error_type: '' }],
        ['gen_ai_server_time_to_first_token_seconds_count', ofModel()],
        ['gen_ai_server_time_per_output_token_seconds_count', ofModel()],
        ['gen_ai_client_token_usage_sum', { ...ofModel(), gen_ai_token_type: 'input' }],
        ['gen_ai_client_token_usage_sum', { ...ofModel(), gen_ai_token_type: 'output' }],
        ['parley_turn_errors_total'],
      ],
      () => client.turn('Hello'),
    );
    expect(grown).toEqual([1, 1, 5, 2, 1, 1, 1, 1, 5, 2, 0]);
  });

  it('name the model that says it has answered', async () => {
    fixture.upstream.script = ({ res }) => {
      const choices = [{ message: { content: 'Hi' }, finish_reason: 'stop' }];
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ model: `${label}-2026`, choices }));
    };
    await client.turn('Hello', { stream: false });
    const labels = { ...ofModel(), gen_ai_response_model: `${label}-2026` };
    await expect(readSample('gen_ai_server_request_duration_seconds_count', labels)).resolves.toBe(1);
    // A whole answer has no first token that says anything.
    await expect(readSample('gen_ai_server_time_to_first_token_seconds_count', labels)).resolves.toBeUndefined();
  });

  it('count a failure by its code', async () => {
    fixture.upstream.script = refusing(500);
    const grown = await growth(
      [
        ['parley_turns_total', { status: 'failed' }],
        ['parley_turn_errors_total', { condition: 'PROVIDER_BAD_ANSWER' }],
        ['parley_attempts_total', { ...ofConnection(), outcome: 'PROVIDER_BAD_ANSWER' }],
        ['gen_ai_server_request_duration_seconds_count', { ...ofModel(), error_type: 'PROVIDER_BAD_ANSWER' }],
        ['gen_ai_server_time_to_first_token_seconds_count', ofModel()],
        ['parley_turns_refused_total'],
      ],
      () => client.turn('Hello'),
    );
    expect(grown).toEqual([1, 1, 1, 1, 0, 0]);
  });

  it('count a fail-over with the connection that failed', async () => {
    other.script = answering('Fine');
    await connect({ label: `${label}-other`, baseUrl: `${other.url}/v1` });
    // One of the two fails first, whichever it is.
    fixture.upstream.script = refusing(503);
    await running.stub.putRouteProfile(
      { slug: 'ordered', accountLabels: [label, `${label}-other`], model: label, strategy: 'priority', weights: [] },
      { caller: client.caller },
    );
    const grown = await growth(
      [
        ['parley_failovers_total', ofConnection()],
        ['parley_attempts_total', { ...ofConnection(), outcome: 'PROVIDER_UNAVAILABLE' }],
        ['parley_attempts_total', { connection: `${label}-other`, outcome: 'ok' }],
        ['parley_turns_total', { status: 'completed' }],
        ['parley_turns_total', { status: 'failed' }],
      ],
      () => client.turn('Hello', { routeProfile: 'ordered' }),
    );
    expect(grown).toEqual([1, 1, 1, 1, 0]);
  });

  it('show a connection that is limited, and count the turns that it does not take', async () => {
    const health = (name: string) => readSample('parley_connection_health', { ...ofConnection(), health: name });
    await client.turn('Hello');
    await expect(readSample('parley_connection_up', ofConnection())).resolves.toBe(1);
    await expect(Promise.all([health('healthy'), health('rate_limited')])).resolves.toEqual([1, 0]);
    await expect(readSample('parley_connection_cooldown_seconds', ofConnection())).resolves.toBe(0);
    fixture.upstream.script = refusing(429);
    await client.turn('Hello');
    await expect(readSample('parley_connection_up', ofConnection())).resolves.toBe(0);
    await expect(Promise.all([health('healthy'), health('rate_limited')])).resolves.toEqual([0, 1]);
    await expect(readSample('parley_connection_cooldown_seconds', ofConnection())).resolves.toBeGreaterThan(200);
    const refused: [string, Record<string, string>?][] = [
      ['parley_turns_refused_total', { condition: 'NO_HEALTHY_SESSION' }],
      ['parley_turns_total'],
    ];
    await expect(growth(refused, () => client.turn('Hello'))).resolves.toEqual([1, 0]);
  });

  it('leave out a connection that the operator has disabled', async () => {
    const { connections } = await running.stub.listConnections(
      { provider: '', status: '', limit: 50, offset: 0 },
      { caller: client.caller },
    );
    await running.stub.updateConnection({ id: connections[0]?.id ?? '', enabled: false }, { caller: client.caller });
    await expect(readSample('parley_connection_up', ofConnection())).resolves.toBeUndefined();
  });

  it('show the turns that run and those that wait, and take the worst of connections with the same label', async () => {
    const { caller } = client;
    const { connections } = await running.stub.listConnections({ provider: '', status: '', limit: 50, offset: 0 }, { caller });
    await running.stub.updateConnection({ id: connections[0]?.id ?? '', maxConcurrency: 1 }, { caller });
    fixture.upstream.script = beginning('part');
    const turns = [client.open(turnRequest('one')), client.open(turnRequest('two'))];
    await waitFor(async () => (await readSample('parley_turns_queued', ofConnection())) === 1);
    await expect(readSample('parley_turns_in_flight', ofConnection())).resolves.toBe(1);
    client = running.as(newCaller());
    fixture.upstream.script = answering('Hi');
    await connect();
    fixture.upstream.script = refusing(429);
    await client.turn('Hello');
    await expect(readSample('parley_connection_up', ofConnection())).resolves.toBe(0);
    await expect(readSample('parley_turns_in_flight', ofConnection())).resolves.toBe(1);
    for (const { call } of turns) call?.cancel();
    await waitFor(async () => (await readSample('parley_turns_in_flight', ofConnection())) === 0);
  });
});
