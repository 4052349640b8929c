import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { enableMetrics, readMetrics } from '../src/telemetry/meter.ts';
import { serveMetrics } from '../src/telemetry/metrics-server.ts';
import { startSpanExport } from '../src/telemetry/span-export.ts';
import { type RecordedSpan } from '../src/telemetry/span.ts';
import { readTelemetryConfig } from '../src/telemetry/telemetry.ts';
import { waitFor } from '../src/testing/wait-for.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describe('the listener of metrics', () => {
  it('answers scrapes and nothing else', async () => {
    enableMetrics('1.2.3');
    const server = await serveMetrics('127.0.0.1:0');
    closing.push(() => server.close());
    const scrape = await fetch(server.url);
    expect([scrape.status, scrape.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(await scrape.text()).toContain('parley_build_info{version="1.2.3",node="');
    expect((await fetch(server.url, { method: 'POST' })).status).toBe(404);
    expect((await fetch(server.url.replace('/metrics', '/'))).status).toBe(404);
  });

  it('says which variable is wrong when its port is taken', async () => {
    const first = await serveMetrics('127.0.0.1:0');
    closing.push(() => first.close());
    const address = new URL(first.url).host;
    await expect(serveMetrics(address)).rejects.toThrow(`PARLEY_METRICS_LISTEN: ${address} cannot be used`);
  });
});

describe('readTelemetryConfig', () => {
  it('has metrics on loopback and no traces by default', () => {
    expect(readTelemetryConfig({})).toEqual({
      metricsListen: '127.0.0.1:9464',
      metricsFallBack: true,
      traces: undefined,
      resource: {},
    });
    expect(readTelemetryConfig({ PARLEY_METRICS_LISTEN: 'off' }).metricsListen).toBeUndefined();
  });

  it('reads the variables of OpenTelemetry', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      PARLEY_TRACE_SLOW: '3s',
    };
    expect(readTelemetryConfig(env)).toMatchObject({
      traces: { url: 'http://collector:4318/v1/traces', headers: { authorization: 'Bearer x' }, ratio: 0.25, slowMs: 3_000 },
      resource: { 'deployment.environment.name': 'test' },
    });
    const own = { ...env, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://tempo/otlp' };
    expect(readTelemetryConfig(own).traces?.url).toBe('http://tempo/otlp');
  });

  it.each([
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['PARLEY_METRICS_LISTEN', '9464'],
  ])('refuses %s=%s by name', (name, value) => {
    expect(() => readTelemetryConfig({ [name]: value })).toThrow(new RegExp(`^bad configuration: ${name} must`));
  });
});

describe('the export of spans', () => {
  it('sends spans with their parent, times and error over OTLP', async () => {
    const { url, bodies } = await receiver((res) => res.end());
    const spans = startSpanExport({ url, headers: { 'x-test': 'yes' }, resource: { 'service.name': 'parley-test' } });
    spans.sink({ ...SPAN, error: 'PROVIDER_TIMEOUT' });
    await spans.close();
    const [sent] = bodies;
    expect(sent?.headers['x-test']).toBe('yes');
    const text = JSON.stringify(sent?.body);
    for (const part of [SPAN.traceId, SPAN.spanId, SPAN.parentSpanId, 'parley-test', 'PROVIDER_TIMEOUT']) expect(text).toContain(part);
  });

  it('neither waits nor grows when the receiver does not answer: what does not fit is dropped and counted', async () => {
    enableMetrics('test');
    const held: ServerResponse[] = [];
    const { url } = await receiver((res) => void held.push(res));
    const spans = startSpanExport({ url, headers: {}, resource: {} });
    closing.push(() => spans.close());
    for (let made = 0; made < 5_000; made++) spans.sink(SPAN);
    await waitFor(() => held.length === 1);
    for (let made = 0; made < 5_000; made++) spans.sink(SPAN);
    const { text } = await readMetrics();
    expect(Number(/^parley_spans_dropped_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(10_000 - 2 * 2_048);
    for (const res of held) res.end();
  });
});

const SPAN: RecordedSpan = {
  name: 'request',
  kind: 1,
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentSpanId: '00f067aa0ba902b7',
  startedAt: 10,
  endedAt: 25.5,
  attributes: { 'http.route': '/v1/models' },
  events: [{ name: 'first_token', at: 12, attributes: undefined }],
  links: [],
  error: undefined,
};

/** A receiver of OTLP over HTTP. */
async function receiver(answer: (res: ServerResponse) => void) {
  const bodies: { headers: Record<string, unknown>; body: unknown }[] = [];
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const raw = Buffer.concat(chunks);
      const bytes = req.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
      bodies.push({ headers: req.headers, body: JSON.parse(bytes.toString()) });
      answer(res);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`, bodies };
}
