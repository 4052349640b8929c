import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { setTimeout as delay } from 'node:timers/promises';
import { ask, stream } from '../harness/chat.ts';
import { startFlood } from '../harness/endless-upstream.ts';
import { readUntil } from '../harness/event-stream.ts';
import { call } from '../harness/http.ts';
import { Ledger } from '../harness/ledger.ts';
import { Operator } from '../harness/operator.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../harness/otlp-receiver.ts';
import { type OwnInfra, startOwnInfra } from '../harness/own-infra.ts';
import { type Parley, startParley } from '../harness/parley.ts';
import { freeze, killPart, partOf } from '../harness/parts.ts';
import { type Prometheus, startPrometheus, TRUE_MS } from '../harness/prometheus.ts';
import { startRecordingUpstream } from '../harness/recording-upstream.ts';
import { Sandbox } from '../harness/sandbox.ts';
import { askAndStop } from '../harness/slow-reader.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';

const SETTINGS = {
  PARLEY_STALLED_CLIENT_TIMEOUT: '2s',
  PARLEY_UPSTREAM_ACCEPTANCE_MS: '5s',
  PARLEY_UPSTREAM_SILENCE_MS: '5s',
  // Traces are those that the test asks for.
  OTEL_TRACES_SAMPLER_ARG: '0',
};
/** What a machine that is busy with other tests gives rise to by itself. */
const OF_SLOWNESS = 'ParleyEventLoopLag|ParleyAddedLatency|ParleyGroupCommitSlow|ParleyScrapeMissing';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';

describe.each(['single', 'separate'] as const)('a gateway (%s) that Prometheus scrapes with the rules', (topology) => {
  let infra: OwnInfra;
  let receiver: OtlpReceiver;
  let parley: Parley;
  let prometheus: Prometheus;
  const closing: (() => Promise<unknown>)[] = [];
  const gateway = () => parley;
  const sandbox = new Sandbox(gateway);
  const edge = topology === 'single' ? 'parley' : 'edge';

  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    closing.push(() => receiver.close());
    infra = await startOwnInfra();
    closing.push(() => infra.dispose());
    parley = await startParley({ topology, env: { ...SETTINGS, ...infra.env, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url } });
    closing.push(() => parley.dispose());
    prometheus = await startPrometheus(parley);
    closing.push(() => prometheus.stop());
  });
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  /** Waits until an expression has a value that satisfies `is`. */
  const until = (expression: string, is: (sum: number) => boolean) =>
    waitFor(async () => [await prometheus.sum(expression)].find(is) !== undefined, { timeoutMs: TRUE_MS, everyMs: 250 }).catch(
      async (cause: unknown) => {
        throw new Error(`${expression} is ${JSON.stringify(await prometheus.query(expression))}`, { cause });
      },
    );
  const atLeast = (expression: string, least: number) => until(expression, (sum) => sum >= least);

  it('has all targets up, and numbers that agree with what clients got', async () => {
    await until('up{job="parley"}', (sum) => sum === Object.keys(parley.run.metrics_urls).length);
    const ledger = new Ledger(gateway, await makeTenant(gateway));
    const turns = 20;
    for (let turn = 0; turn < turns; turn++) expect(await ledger.turn()).toMatchObject({ outcome: 'completed' });
    const tokens = ledger.completed.reduce((sum, { tokensOut }) => sum + (tokensOut ?? 0), 0);
    await until('parley_turns_total{status="completed"}', (sum) => sum === turns);
    await until('parley_requests_total{operation="createChatCompletion", status="200"}', (sum) => sum === turns);
    await until('gen_ai_server_time_to_first_token_seconds_count{gen_ai_operation_name="chat"}', (sum) => sum === turns);
    await until('parley_turn_added_seconds_count', (sum) => sum === turns);
    for (const name of ['parley_upstream_tokens_total', 'parley_recorded_tokens_total', 'parley_usage_tokens_total'])
      await until(`${name}{type="output"}`, (sum) => sum === tokens);
    await until('parley_usage_records_total', (sum) => sum === turns);
    await until('parley_broker_connected == 0', (sum) => sum === 0);
    expect(await prometheus.query('count by (version) (parley_build_info)')).toHaveLength(1);
    expect(await prometheus.query(`ALERTS{alertname!~"${OF_SLOWNESS}"}`)).toEqual([]);
  });

  it('shows faults of upstreams by connection and code, and alerts of them', async () => {
    const tenant = await makeTenant(gateway, ['openai-compatible']);
    const account = onlyAccount(tenant);
    const { apiKey: wellKey } = await makeTenant(gateway);
    const fail = async (fault: string) => {
      await account.order({ fault });
      return ask(parley, { key: tenant.apiKey });
    };
    const attempts = (outcome: string) => `parley_attempts_total{connection="${account.label}", outcome="${outcome}"}`;
    expect((await fail('server_error')).status).toBe(502);
    expect((await fail('silent')).status).toBe(504);
    expect((await fail('server_error')).status).toBe(502);
    expect((await fail('rate_limited')).status).toBe(429);
    // The rules ask for some traffic before they judge a ratio: one turn of three fails, as often as it takes, on a connection that stays well.
    const lost = await makeTenant(gateway);
    await onlyAccount(lost).order({ fault: 'access_lost', count: -1 });
    await prometheus.untilTrue('ParleyTurnFailures', () => Promise.all([lost.apiKey, wellKey, wellKey].map((key) => ask(parley, { key }))));
    await atLeast(attempts('PROVIDER_BAD_ANSWER'), 2);
    await atLeast(attempts('PROVIDER_TIMEOUT'), 1);
    await atLeast(attempts('PROVIDER_RATE_LIMITED'), 1);
    await atLeast(`parley_connection_health{connection="${account.label}", health="rate_limited"}`, 1);
    await atLeast('parley_turn_errors_total{condition="PROVIDER_TIMEOUT"}', 1);
    // No other connection of this provider has been made before.
    for (const alert of ['ParleyConnectionDown', 'ParleyConnectionCooldown', 'ParleyProviderDown']) await prometheus.untilTrue(alert);
    await prometheus.untilTrue('ParleyNoHealthySession', () => ask(parley, { key: tenant.apiKey }));
  });

  it('traces a streamed turn from its client to its upstream and its record', async () => {
    const upstream = await startRecordingUpstream();
    closing.push(() => upstream.close());
    const tenant = await tenantOf(upstream.baseUrl);
    const headers = { traceparent: `00-${TRACE_ID}-${CLIENT_SPAN}-01` };
    const answer = await stream(parley, { key: tenant.apiKey, headers });
    expect(await answer.text()).toContain(' asked');

    const spans = await waitFor(
      () =>
        [receiver.trace(TRACE_ID)].find((all) =>
          ['POST', 'chat', 'record.begin', 'record.end'].every((name) => all.some((span) => span.name.startsWith(name))),
        ),
      { everyMs: 100 },
    );
    const known = new Set([CLIENT_SPAN, ...spans.map(({ spanId }) => spanId)]);
    expect(spans.filter(({ parentSpanId }) => !known.has(parentSpanId))).toEqual([]);
    const root = spans.find(({ parentSpanId }) => parentSpanId === CLIENT_SPAN);
    expect(root).toMatchObject({ name: 'POST /v1/chat/completions', attributes: { 'http.route': '/v1/chat/completions' } });
    const [asked] = upstream.headers;
    const [, traceId, attempt] = String(asked?.['traceparent']).split('-');
    expect(traceId).toBe(TRACE_ID);
    expect(spans.find(({ spanId }) => spanId === attempt)).toMatchObject({
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': expect.any(String) },
      events: expect.arrayContaining(['first_token']),
    });
    const services = new Set(spans.map(({ service }) => service));
    const expected = topology === 'single' ? ['parley'] : ['parley-edge', 'parley-chat-routing', 'parley-conversation'];
    expect([...services]).toEqual(expect.arrayContaining(expected));
    expect(JSON.stringify(spans)).not.toContain(' asked');
  });

  it('counts clients that leave, and alerts of those that stop reading', async () => {
    const { apiKey: key } = await makeTenant(gateway);
    const before = await prometheus.sum('parley_turns_total{status="interrupted"}');
    await sandbox.paced(20, async () => {
      const { reader } = await readUntil(await stream(parley, { key, say: 'count to 1000' }), (raw) => raw.includes('" 3"'));
      await reader.cancel();
      // Without its pauses the answer would end before the gateway knows that its client has left.
      await atLeast('parley_turns_total{status="interrupted"}', before + 1);
    });

    const flood = await startFlood();
    closing.push(() => flood.close());
    const flooded = await tenantOf(flood.baseUrl);
    const body = { messages: [{ role: 'user', content: 'pour' }] };
    const readers = await Promise.all(Array.from({ length: 14 }, () => askAndStop(parley, flooded.apiKey, body)));
    await prometheus.untilTrue('ParleyStalledClients');
    for (const reader of readers) reader.close();
    await until('parley_streams_open', (sum) => sum === 0);
  });

  it('alerts of a broker that is away and of events that wait, until they have left', async () => {
    const ledger = new Ledger(gateway, await makeTenant(gateway));
    await infra.broker.stop();
    const since = Date.now();
    const talk = async () => {
      for (const { outcome } of await Promise.all(Array.from({ length: 8 }, () => ledger.turn()))) expect(outcome).toBe('completed');
    };
    await prometheus.untilTrue('ParleyBrokerDisconnected', talk);
    await prometheus.untilTrue('ParleyOutboxGrowing', talk);
    await waitFor(() => prometheus.wasTrue('ParleyOutboxOld', since), { timeoutMs: TRUE_MS, everyMs: 500 });
    await infra.broker.start();
    await until('parley_outbox_rows', (sum) => sum === 0);
    await until('ALERTS{alertname=~"ParleyBroker.+|ParleyOutbox.+"}', (sum) => sum === 0);
    await ledger.reconcile();
  });

  it('alerts of a database that is slow, hangs, or is away', async () => {
    const operator = new Operator(gateway);
    const tenant = await makeTenant(gateway);
    const { apiKey: key } = tenant;
    const owner = { workspace_id: tenant.workspaceId, user_id: tenant.userId };
    const { key: limited } = await operator.createKey({ ...owner, quotas: { requests: '60 per 1 day' } });
    const turns = (count: number) => Promise.all(Array.from({ length: count }, () => ask(parley, { key })));
    await prometheus.untilTrue('ParleyGroupCommitSlow', () => Promise.all([pause(infra.database.pid, 700), turns(3)]));
    await prometheus.untilTrue('ParleyAddedLatency');

    const asked: Promise<unknown>[] = [];
    const thaw = await freeze(infra.database.pid);
    await prometheus.untilTrue('ParleyDatabasePoolWaiting', async () => {
      asked.push(...Array.from({ length: 30 }, () => call(parley, 'GET', '/v1/conversations', { key })));
      await delay(500);
    });
    thaw();
    await Promise.all(asked);

    await waitFor(async () => (await ask(parley, { key: limited })).status === 200);
    await infra.database.stop();
    const stoppedAt = Date.now();
    // While its key is known: more than a block of its quota has.
    await Promise.all(Array.from({ length: 20 }, () => ask(parley, { key: limited })));
    await prometheus.untilTrue('ParleyDatabaseUnavailable', () => turns(4));
    await prometheus.untilTrue('ParleyRequestErrors', () => turns(4));
    await waitFor(() => prometheus.wasTrue('ParleyQuotaServiceFailing', stoppedAt), { timeoutMs: TRUE_MS, everyMs: 500 });
    await infra.database.start();
    await waitFor(async () => (await ask(parley, { key })).status === 200);
    await until('up{job="parley"}', (sum) => sum === Object.keys(parley.run.metrics_urls).length);
  });

  it('alerts of processes that hang, end and restart, and of the turns they had', async () => {
    const { apiKey: key } = await makeTenant(gateway);
    const { pid } = await partOf(parley, edge);
    const thaw = await freeze(pid);
    await prometheus.untilTrue('ParleyScrapeMissing');
    await prometheus.untilTrue('ParleyEdgeDown');
    thaw();
    await prometheus.untilTrue('ParleyEventLoopLag', () => pause(pid, 300));

    const part = topology === 'single' ? 'parley' : 'chat-routing';
    const restarts = `sum(changes(process_start_time_seconds{process="${part}"}[10m]))`;
    await sandbox.setPace(50);
    const { reader } = await readUntil(await stream(parley, { key, say: 'count to 1000' }), (raw) => raw.includes('" 3"'));
    const since = Date.now();
    const first = await killPart(parley, part);
    await sandbox.setPace(0);
    await reader.cancel().catch(() => undefined);
    await partOf(parley, part, first);
    await atLeast(restarts, 1);
    // One process: what it has counted since its last scrape ends with it.
    await waitFor(() => prometheus.wasTrue('ParleyTurnsReaped', since), { timeoutMs: TRUE_MS, everyMs: 500 });
    await killPart(parley, part);
    await prometheus.untilTrue('ParleyProcessRestarts');
    await until('up{job="parley"}', (sum) => sum === Object.keys(parley.run.metrics_urls).length);
    await waitFor(async () => (await ask(parley, { key })).status === 200);
  });

  /** The fault: a process that stands still for a while. */
  async function pause(pid: number, ms: number): Promise<void> {
    const thaw = await freeze(pid);
    await delay(ms);
    thaw();
  }

  /** A workspace whose only connection is an OpenAI-compatible one. */
  async function tenantOf(baseUrl: string): Promise<Tenant> {
    const tenant = await makeTenant(gateway, []);
    const { workspaceId } = tenant;
    await new Operator(gateway).connect({ provider: 'openai-compatible', label: 'http', workspace_id: workspaceId, base_url: baseUrl });
    return tenant;
  }
});
