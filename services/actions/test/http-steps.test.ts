import { describe, expect, it } from '@jest/globals';
import { SAMPLED } from '@parley/kit/testing/telemetry';
import { GatewayError } from '@parley/protos/errors';
import { beforeEachWithHttpSteps, type HttpStepFixture, json, MAX_BYTES } from './http-step-fixture.ts';
import { httpRequest, RUN_ID } from './step-fixture.ts';

describe('a step that calls an API', () => {
  let fixture: HttpStepFixture;
  let api: HttpStepFixture['api'];
  beforeEachWithHttpSteps((entered) => ({ api } = fixture = entered));

  it('sends path, query, headers, cookies and a JSON body, and gives the answer', async () => {
    api.answer = (_request, res) => json(res, 201, { id: 7 }, { 'set-cookie': 'sid=1', authorization: 'x', 'x-total': '3' });
    const at = { id: 'path', tag: 'query', q: 'query', 'X-Trace': 'header', sid: 'cookie', absent: 'query' } as const;
    const parameters = { id: 'a/b ?', tag: ['x', 'y z'], q: '1&2', 'X-Trace': 't', sid: 'a;b' };
    const answer = await fixture.run(
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

  it('sends the trace on when it is sampled, unless the document sets its own', async () => {
    const own = { at: { traceparent: 'header' }, parameters: { traceparent: 'own' } } as const;
    await fixture.run(httpRequest('GET', `${api.url}/a`, { traceparent: SAMPLED }));
    await fixture.run(httpRequest('GET', `${api.url}/b`, { traceparent: SAMPLED, ...own }));
    await fixture.run(httpRequest('GET', `${api.url}/c`, { traceparent: `${SAMPLED.slice(0, -2)}00` }));
    expect(api.seen.map(({ headers }) => headers['traceparent'])).toEqual([SAMPLED, 'own', undefined]);
  });

  it('sends forms and texts, and reads texts', async () => {
    api.answer = (_request, res) => res.writeHead(200, { 'content-type': 'text/plain' }).end('a\0b');
    const form = { contentType: 'application/x-www-form-urlencoded', payload: { a: 'x y', b: [1, true], c: null, d: { e: 1 } } };
    await expect(fixture.run(httpRequest('POST', `${api.url}/f`, form))).resolves.toMatchObject({ body: 'ab' });
    await fixture.run(httpRequest('PUT', `${api.url}/f`, { contentType: 'text/markdown', payload: '# hi' }));
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
    await expect(fixture.failure(request)).resolves.toEqual({ condition: 'ACTION_STEP_FAILED', effect: 'none' });
    expect(api.seen).toEqual([]);
  });

  it.each(['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'a b'])('sends no header %s of a document', async (name) => {
    const request = httpRequest('GET', `${api.url}/a`, { at: { [name]: 'header' }, parameters: { [name]: '1' } });
    await expect(fixture.failure(request)).resolves.toEqual({ condition: 'ACTION_STEP_FAILED', effect: 'none' });
    expect(api.seen).toEqual([]);
  });

  it.each([400, 404, 409, 500, 503])('takes %i for an answer, once', async (status) => {
    api.answer = (_request, res) => json(res, status, { error: 'x' });
    await expect(fixture.run(httpRequest('POST', `${api.url}/a`, { payload: {} }))).resolves.toMatchObject({
      statusCode: status,
      body: { error: 'x' },
    });
    expect(api.seen).toHaveLength(1);
  });

  it('gives broken JSON as a text, and refuses an answer that is too large', async () => {
    api.answer = (_request, res) => res.writeHead(200, { 'content-type': 'application/json' }).end('{oops');
    await expect(fixture.run(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ body: '{oops' });
    api.answer = (_request, res) => res.end('x'.repeat(MAX_BYTES));
    await expect(fixture.run(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ body: 'x'.repeat(MAX_BYTES) });
    api.answer = (_request, res) => res.end('x'.repeat(MAX_BYTES + 1));
    await expect(fixture.failure(httpRequest('GET', `${api.url}/a`))).resolves.toEqual({
      condition: 'PROVIDER_BAD_ANSWER',
      effect: 'unknown',
    });
  });

  it('says honestly what may have happened', async () => {
    await expect(fixture.failure(httpRequest('POST', 'http://10.0.0.1/a'))).resolves.toEqual({
      condition: 'ACTION_STEP_FAILED',
      effect: 'none',
    });
    api.answer = (_request, res) => res.destroy();
    await expect(fixture.failure(httpRequest('POST', `${api.url}/a`))).resolves.toEqual({
      condition: 'PROVIDER_UNAVAILABLE',
      effect: 'unknown',
    });
    const stop = new AbortController();
    api.answer = () => stop.abort(new GatewayError('TIMEOUT', 'late'));
    await expect(fixture.failure(httpRequest('POST', `${api.url}/a`), stop.signal)).resolves.toEqual({
      condition: 'TIMEOUT',
      effect: 'unknown',
    });
    const seen = api.seen.length;
    await expect(fixture.failure(httpRequest('POST', `${api.url}/a`), stop.signal)).resolves.toEqual({
      condition: 'TIMEOUT',
      effect: 'none',
    });
    expect(api.seen).toHaveLength(seen);
    api.server.close();
    api.server.closeAllConnections();
    await expect(fixture.failure(httpRequest('POST', `${api.url}/a`))).resolves.toEqual({
      condition: 'PROVIDER_UNAVAILABLE',
      effect: 'none',
    });
  });
});
