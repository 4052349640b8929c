import { beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { EgressGuard } from '../src/steps/egress-guard.ts';
import { parseEgressPolicy } from '../src/steps/egress-policy.ts';
import { httpExecutor } from '../src/steps/http.ts';
import { beforeEachWithHttpSteps, type HttpStepFixture, json, MAX_BYTES, SECRET } from './http-step-fixture.ts';
import { httpRequest, NEVER } from './step-fixture.ts';

describe('a step that calls an API with a connection', () => {
  let fixture: HttpStepFixture;
  let api: HttpStepFixture['api'];
  let other: HttpStepFixture['other'];
  beforeEachWithHttpSteps((entered) => ({ api, other } = fixture = entered));
  beforeEach(() => {
    fixture.connect();
    api.answer = (_request, res) => json(res, 200, {});
    other.answer = (_request, res) => json(res, 200, {});
  });

  it('carries its secret to its own origin and to no other', async () => {
    await fixture.run(httpRequest('GET', `${api.url}/elsewhere`, { connectionId: 'c1' }));
    await fixture.run(httpRequest('GET', `${other.url}/a`, { connectionId: 'c1' }));
    fixture.connect({ account: 'X-Api-Key' });
    await fixture.run(httpRequest('GET', `${api.url}/a`, { connectionId: 'c1' }));
    expect(fixture.acquired).toEqual(['api:c1', 'api:c1', 'api:c1']);
    expect(api.seen.map(({ headers }) => [headers.authorization, headers['x-api-key']])).toEqual([
      [`Bearer ${SECRET}`, undefined],
      [undefined, SECRET],
    ]);
    expect(JSON.stringify(other.seen)).not.toContain('quoted');
    expect(fixture.reports.map(({ ok, condition }) => [ok, condition])).toEqual([
      [true, ''],
      [false, 'CANCELLED'],
      [true, ''],
    ]);
  });

  it('may be called at its own host, whatever else is allowed, where its address is', async () => {
    const bare = new EgressGuard(parseEgressPolicy([], ['127.0.0.0/8']));
    const executor = httpExecutor({ connections: fixture.connections, guard: bare, maxResponseBytes: MAX_BYTES });
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
    const answer = await fixture.run(httpRequest('GET', `${api.url}/a`, { connectionId: 'c1' }));
    expect(JSON.stringify(answer)).not.toContain('quoted');
    expect(answer.body).toEqual({ you: 'Bearer [secret]' });
  });

  it.each([
    [401, 'ACCOUNT_REAUTH_REQUIRED', false],
    [403, '', true],
    [429, 'PROVIDER_RATE_LIMITED', false],
    [500, 'PROVIDER_BAD_ANSWER', false],
    [404, '', true],
  ])('reports %i to chat-routing', async (status, condition, ok) => {
    api.answer = (_request, res) => json(res, status, {}, { 'retry-after': '3' });
    await fixture.run(httpRequest('GET', `${api.url}/a`, { connectionId: 'c1' }));
    expect(fixture.reports).toEqual([{ connectionId: 'c1', probing: false, ok, condition, retryAfterMs: status === 429 ? 3_000 : 0 }]);
  });

  it('fails without effect when it cannot be had, and does without when none was asked for', async () => {
    fixture.connection = new GatewayError('NO_HEALTHY_SESSION', 'cooling down');
    await expect(fixture.failure(httpRequest('POST', `${api.url}/a`, { connectionId: 'c1' }))).resolves.toEqual({
      condition: 'NO_HEALTHY_SESSION',
      effect: 'none',
    });
    fixture.connection = new GatewayError('ACCOUNT_NOT_CONNECTED', 'none');
    await expect(fixture.failure(httpRequest('POST', `${api.url}/a`, { connectionId: 'c1' }))).resolves.toMatchObject({
      condition: 'ACCOUNT_NOT_CONNECTED',
    });
    await expect(fixture.failure(httpRequest('POST', `${api.url}/a`))).resolves.toBe('answered');
    expect(api.seen).toHaveLength(1);
  });
});
