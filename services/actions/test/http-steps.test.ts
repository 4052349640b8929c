import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { GatewayError } from '@parley/protos/errors';
import { type AcquiredConnection, type ReportConnectionRequest } from '@parley/protos/routing/v1/routing';
import { type Connections } from '../src/steps/credentials.ts';
import { EgressGuard } from '../src/steps/egress-guard.ts';
import { parseEgressPolicy } from '../src/steps/egress-policy.ts';
import { httpExecutor } from '../src/steps/http.ts';
import { type StepRequest } from '../src/steps/step-executor.ts';
import { httpRequest, NEVER, RUN_ID } from './step-fixture.ts';

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answer = (request: Seen, res: ServerResponse) => void;

const SECRET = 'sk-"quoted"-secret';
const MAX_BYTES = 10_000;

/** An API on this machine, and what it was asked. */
async function openApi(): Promise<{ server: Server; url: string; host: string; seen: Seen[]; answer: Answer }> {
  const api = { server: createServer(), url: '', host: '', seen: [] as Seen[], answer: ((_request, res) => res.end()) as Answer };
  api.server.on('request', (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method, url, headers } = req;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      api.seen.push(request);
      api.answer(request, res);
    });
  });
  api.server.listen(0, '127.0.0.1');
  await once(api.server, 'listening');
  api.host = `127.0.0.1:${(api.server.address() as AddressInfo).port}`;
  api.url = `http://${api.host}`;
  return api;
}

type Api = Awaited<ReturnType<typeof openApi>>;

const json = (res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

describe('a step that calls an API', () => {
  let api: Api;
  let other: Api;
  let guard: EgressGuard;
  let reports: ReportConnectionRequest[];
  let connection: AcquiredConnection | GatewayError;
  let acquired: string[];
  beforeEach(async () => {
    [api, other] = [await openApi(), await openApi()];
    guard = new EgressGuard(parseEgressPolicy([api.host, other.host], []));
    [reports, acquired] = [[], []];
    connection = new GatewayError('ACCOUNT_NOT_CONNECTED', 'none');
  });
  afterEach(async () => {
    for (const { server } of [api, other]) {
      server.closeAllConnections();
      server.close();
    }
    await guard.close();
  });

  const connected = (part: Partial<AcquiredConnection> = {}): AcquiredConnection => ({
    ...{ id: 'c1', provider: 'http-api', label: 'api', baseUrl: `${api.url}/v1`, secret: SECRET, models: [], probing: false, account: '' },
    ...part,
  });
  const connections: Connections = {
    acquireConnection: async ({ connectionId, purpose }) => {
      acquired.push(`${purpose}:${connectionId}`);
      if (connection instanceof GatewayError) throw connection;
      return connection;
    },
    reportConnection: async (report) => {
      reports.push(report);
      return {};
    },
  };
  const run = (request: StepRequest, signal = NEVER) =>
    httpExecutor({ connections, guard, maxResponseBytes: MAX_BYTES }).execute(request, signal);
  const failure = (request: StepRequest, signal?: AbortSignal) =>
    run(request, signal).then(
      () => 'answered',
      ({ error, effect }: { error: GatewayError; effect: string }) => ({ condition: error.condition, effect }),
    );

  it('sends path, query, headers, cookies and a JSON body, and gives the answer', async () => {
    api.answer = (_request, res) => json(res, 201, { id: 7 }, { 'set-cookie': 'sid=1', authorization: 'x', 'x-total': '3' });
    const at = { id: 'path', tag: 'query', q: 'query', 'X-Trace': 'header', sid: 'cookie', absent: 'query' } as const;
    const parameters = { id: 'a/b ?', tag: ['x', 'y z'], q: '1&2', 'X-Trace': 't', sid: 'a;b' };
    const answer = await run(
      httpRequest('POST', `${api.url}/tickets/{id}/notes?fixed=1`, {
        at,
        parameters,
        payload: { title: 'é' },
        idempotencyHeader: 'Idempotency-Key',
      }),
    );
    expect(answer).toEqual({
      statusCode: 201,
      body: { id: 7 },
      headers: expect.objectContaining({ 'content-type': 'application/json', 'x-total': '3' }),
    });
    expect(Object.keys(answer.headers)).not.toEqual(expect.arrayContaining(['set-cookie']));
    expect(answer.headers).not.toHaveProperty('authorization');
    const [seen] = api.seen;
    expect(seen).toMatchObject({ method: 'POST', url: '/tickets/a%2Fb%20%3F/notes?fixed=1&tag=x&tag=y+z&q=1%262', body: '{"title":"é"}' });
    expect(seen?.headers).toMatchObject({
      'x-trace': 't',
      cookie: 'sid=a%3Bb',
      'idempotency-key': `${RUN_ID}:step`,
      'content-type': 'application/json',
    });
    expect(seen?.headers).not.toHaveProperty('authorization');
  });

  it('sends forms and texts, and reads texts', async () => {
    api.answer = (_request, res) => res.writeHead(200, { 'content-type': 'text/plain' }).end('a\0b');
    const form = { contentType: 'application/x-www-form-urlencoded', payload: { a: 'x y', b: [1, true], c: null, d: { e: 1 } } };
    await expect(run(httpRequest('POST', `${api.url}/f`, form))).resolves.toMatchObject({ body: 'ab' });
    await run(httpRequest('PUT', `${api.url}/f`, { contentType: 'text/markdown', payload: '# hi' }));
    expect(api.seen.map(({ body }) => body)).toEqual(['a=x+y&b=1&b=true&c=&d=%7B%22e%22%3A1%7D', '# hi']);
  });

  it.each([
    ['..', 'path'],
    ['.', 'path'],
    ['', 'path'],
    ['a\r\nX-Evil: 1', 'header'],
    ['日本', 'header'],
  ] as const)('sends nothing for the value %j in the %s', async (value, place) => {
    const request = httpRequest('GET', `${api.url}/a/${place === 'path' ? '{x}' : ''}`, { at: { x: place }, parameters: { x: value } });
    await expect(failure(request)).resolves.toEqual({ condition: 'ACTION_STEP_FAILED', effect: 'none' });
    expect(api.seen).toEqual([]);
  });

  it.each(['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'a b'])('sends no header %s of a document', async (name) => {
    const request = httpRequest('GET', `${api.url}/a`, { at: { [name]: 'header' }, parameters: { [name]: '1' } });
    await expect(failure(request)).resolves.toEqual({ condition: 'ACTION_STEP_FAILED', effect: 'none' });
    expect(api.seen).toEqual([]);
  });

  it.each([400, 404, 409, 500, 503])('takes %i for an answer, once', async (status) => {
    api.answer = (_request, res) => json(res, status, { error: 'x' });
    await expect(run(httpRequest('POST', `${api.url}/a`, { payload: {} }))).resolves.toMatchObject({
      statusCode: status,
      body: { error: 'x' },
    });
    expect(api.seen).toHaveLength(1);
  });

  it('gives broken JSON as a text, and refuses an answer that is too large', async () => {
    api.answer = (_request, res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{oops');
    await expect(run(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ body: '{oops' });
    api.answer = (_request, res) => res.end('x'.repeat(MAX_BYTES));
    await expect(run(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ body: 'x'.repeat(MAX_BYTES) });
    api.answer = (_request, res) => res.end('x'.repeat(MAX_BYTES + 1));
    await expect(failure(httpRequest('GET', `${api.url}/a`))).resolves.toEqual({ condition: 'PROVIDER_BAD_ANSWER', effect: 'unknown' });
  });

  it('says honestly what may have happened', async () => {
    await expect(failure(httpRequest('POST', 'http://10.0.0.1/a'))).resolves.toEqual({ condition: 'ACTION_STEP_FAILED', effect: 'none' });
    api.answer = (_request, res) => res.destroy();
    await expect(failure(httpRequest('POST', `${api.url}/a`))).resolves.toEqual({ condition: 'PROVIDER_UNAVAILABLE', effect: 'unknown' });
    const stop = new AbortController();
    api.answer = () => stop.abort(new GatewayError('TIMEOUT', 'late'));
    await expect(failure(httpRequest('POST', `${api.url}/a`), stop.signal)).resolves.toEqual({ condition: 'TIMEOUT', effect: 'unknown' });
    const seen = api.seen.length;
    await expect(failure(httpRequest('POST', `${api.url}/a`), stop.signal)).resolves.toEqual({ condition: 'TIMEOUT', effect: 'none' });
    expect(api.seen).toHaveLength(seen);
    api.server.close();
    api.server.closeAllConnections();
    await expect(failure(httpRequest('POST', `${api.url}/a`))).resolves.toEqual({ condition: 'PROVIDER_UNAVAILABLE', effect: 'none' });
  });

  describe('with a connection', () => {
    beforeEach(() => {
      connection = connected();
      api.answer = (_request, res) => json(res, 200, {});
      other.answer = (_request, res) => json(res, 200, {});
    });

    it('carries its secret to its own origin and to no other', async () => {
      await run(httpRequest('GET', `${api.url}/elsewhere`, { connectionId: 'c1' }));
      await run(httpRequest('GET', `${other.url}/a`, { connectionId: 'c1' }));
      connection = connected({ account: 'X-Api-Key' });
      await run(httpRequest('GET', `${api.url}/a`, { connectionId: 'c1' }));
      expect(acquired).toEqual(['api:c1', 'api:c1', 'api:c1']);
      expect(api.seen.map(({ headers }) => [headers.authorization, headers['x-api-key']])).toEqual([
        [`Bearer ${SECRET}`, undefined],
        [undefined, SECRET],
      ]);
      expect(JSON.stringify(other.seen)).not.toContain('quoted');
      expect(reports.map(({ ok, condition }) => [ok, condition])).toEqual([
        [true, ''],
        [false, 'CANCELLED'],
        [true, ''],
      ]);
    });

    it('may be called at its own host, whatever else is allowed, where its address is', async () => {
      const bare = new EgressGuard(parseEgressPolicy([], ['127.0.0.0/8']));
      const executor = httpExecutor({ connections, guard: bare, maxResponseBytes: MAX_BYTES });
      await expect(executor.execute(httpRequest('GET', `${api.url}/a`, { connectionId: 'c1' }), NEVER)).resolves.toMatchObject({
        statusCode: 200,
      });
      await expect(executor.execute(httpRequest('GET', `${other.url}/a`, { connectionId: 'c1' }), NEVER)).rejects.toMatchObject({
        effect: 'none',
      });
      await bare.close();
    });

    it('keeps its secret out of what the API repeats', async () => {
      api.answer = ({ headers }, res) => json(res, 200, { you: headers.authorization }, { 'x-you': String(headers.authorization) });
      const answer = await run(httpRequest('GET', `${api.url}/a`, { connectionId: 'c1' }));
      expect(JSON.stringify(answer)).not.toContain('quoted');
      expect(answer.body).toEqual({ you: 'Bearer [secret]' });
    });

    it.each([
      [401, 'ACCOUNT_REAUTH_REQUIRED', false],
      [403, '', true],
      [429, 'PROVIDER_RATE_LIMITED', false],
      [500, 'PROVIDER_BAD_ANSWER', false],
      [404, '', true],
    ])('tells chat-routing what %i means for it', async (status, condition, ok) => {
      api.answer = (_request, res) => json(res, status, {}, { 'retry-after': '3' });
      await run(httpRequest('GET', `${api.url}/a`, { connectionId: 'c1' }));
      expect(reports).toEqual([{ connectionId: 'c1', probing: false, ok, condition, retryAfterMs: status === 429 ? 3_000 : 0 }]);
    });

    it('fails without effect when it cannot be had, and does without when none was asked for', async () => {
      connection = new GatewayError('NO_HEALTHY_SESSION', 'cooling down');
      await expect(failure(httpRequest('POST', `${api.url}/a`, { connectionId: 'c1' }))).resolves.toEqual({
        condition: 'NO_HEALTHY_SESSION',
        effect: 'none',
      });
      connection = new GatewayError('ACCOUNT_NOT_CONNECTED', 'none');
      await expect(failure(httpRequest('POST', `${api.url}/a`, { connectionId: 'c1' }))).resolves.toMatchObject({
        condition: 'ACCOUNT_NOT_CONNECTED',
      });
      await expect(failure(httpRequest('POST', `${api.url}/a`))).resolves.toBe('answered');
      expect(api.seen).toHaveLength(1);
    });
  });

  describe('that redirects', () => {
    const to =
      (location: string, status = 302): Answer =>
      (request, res) =>
        request.url === '/a' ? res.writeHead(status, { location }).end() : json(res, 200, { at: request.url });

    it('is followed within the API, as often as three times', async () => {
      connection = connected();
      api.answer = to('/b');
      await expect(run(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ body: { at: '/b' } });
      expect(api.seen[1]?.headers.authorization).toBe(`Bearer ${SECRET}`);
      api.answer = ({ url = '' }, res) =>
        url === '/3' ? json(res, 200, {}) : res.writeHead(302, { location: `/${Number(url.slice(1)) + 1}` }).end();
      await expect(run(httpRequest('GET', `${api.url}/0`))).resolves.toMatchObject({ statusCode: 200 });
      api.answer = (_request, res) => res.writeHead(302, { location: '/a' }).end();
      api.seen.length = 0;
      await expect(failure(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ condition: 'ACTION_STEP_FAILED' });
      expect(api.seen).toHaveLength(4);
    });

    it.each([
      [301, 'POST', 'GET', ''],
      [302, 'POST', 'GET', ''],
      [303, 'PUT', 'GET', ''],
      [307, 'POST', 'POST', '{"x":1}'],
      [308, 'PATCH', 'PATCH', '{"x":1}'],
    ])('with %i makes a %s a %s', async (status, method, then, body) => {
      api.answer = to('/b', status);
      await run(httpRequest(method, `${api.url}/a`, { payload: { x: 1 } }));
      expect(api.seen[1]).toMatchObject({ method: then, body });
    });

    it.each([
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/',
      'http://127.0.0.1:1/',
      'file:///etc/passwd',
      'http://user:pass@public.test/',
      'http://unlisted.test/',
    ])('is not followed to %s', async (location) => {
      api.answer = to(location);
      await expect(failure(httpRequest('GET', `${api.url}/a`))).resolves.toEqual({ condition: 'ACTION_STEP_FAILED', effect: 'unknown' });
    });

    it('is followed to another origin only with what is nobody’s secret', async () => {
      api.answer = to(`${other.url}/b`, 307);
      other.answer = (_request, res) => json(res, 200, {});
      await expect(run(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ statusCode: 200 });
      expect(other.seen).toHaveLength(1);
      await expect(failure(httpRequest('POST', `${api.url}/a`, { payload: { x: 1 } }))).resolves.toMatchObject({
        condition: 'ACTION_STEP_FAILED',
      });
      connection = connected();
      await expect(failure(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ condition: 'ACTION_STEP_FAILED' });
      expect(other.seen).toHaveLength(1);
    });
  });
});
