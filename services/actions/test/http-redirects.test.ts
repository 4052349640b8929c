import { describe, expect, it } from '@jest/globals';
import { type Answer, beforeEachWithHttpSteps, type HttpStepFixture, json, SECRET } from './http-step-fixture.ts';
import { httpRequest } from './step-fixture.ts';

describe('a step that calls an API that redirects', () => {
  let fixture: HttpStepFixture;
  let api: HttpStepFixture['api'];
  let other: HttpStepFixture['other'];
  beforeEachWithHttpSteps((entered) => ({ api, other } = fixture = entered));

  const to =
    (location: string, status = 302): Answer =>
    (request, res) =>
      request.url === '/a' ? res.writeHead(status, { location }).end() : json(res, 200, { at: request.url });

  it('is followed within the API, as often as three times', async () => {
    fixture.connect();
    api.answer = to('/b');
    await expect(fixture.run(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ body: { at: '/b' } });
    expect(api.seen[1]?.headers.authorization).toBe(`Bearer ${SECRET}`);
    api.answer = ({ url = '' }, res) =>
      url === '/3' ? json(res, 200, {}) : res.writeHead(302, { location: `/${Number(url.slice(1)) + 1}` }).end();
    await expect(fixture.run(httpRequest('GET', `${api.url}/0`))).resolves.toMatchObject({ statusCode: 200 });
    api.answer = (_request, res) => res.writeHead(302, { location: '/a' }).end();
    api.seen.length = 0;
    await expect(fixture.failure(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ condition: 'ACTION_STEP_FAILED' });
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
    await fixture.run(httpRequest(method, `${api.url}/a`, { payload: { x: 1 } }));
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
    await expect(fixture.failure(httpRequest('GET', `${api.url}/a`))).resolves.toEqual({
      condition: 'ACTION_STEP_FAILED',
      effect: 'unknown',
    });
  });

  it('is followed to another origin only without secrets', async () => {
    api.answer = to(`${other.url}/b`, 307);
    other.answer = (_request, res) => json(res, 200, {});
    await expect(fixture.run(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ statusCode: 200 });
    expect(other.seen).toHaveLength(1);
    await expect(fixture.failure(httpRequest('POST', `${api.url}/a`, { payload: { x: 1 } }))).resolves.toMatchObject({
      condition: 'ACTION_STEP_FAILED',
    });
    fixture.connect();
    await expect(fixture.failure(httpRequest('GET', `${api.url}/a`))).resolves.toMatchObject({ condition: 'ACTION_STEP_FAILED' });
    expect(other.seen).toHaveLength(1);
  });
});
