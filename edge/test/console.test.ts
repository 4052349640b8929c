import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type TestFixture, startFixture } from './harness.ts';

describe('the console', () => {
  let fixture: TestFixture;
  beforeAll(async () => {
    fixture = await startFixture();
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const get = (path: string, init: RequestInit = {}) => fetch(`${fixture.edge.url}${path}`, { redirect: 'manual', ...init });
  const policyOf = (response: Response) => response.headers.get('content-security-policy') ?? '';
  const nonceOf = (response: Response) => /'nonce-([\w-]{22})'/.exec(policyOf(response))?.[1];

  it('is one page for every screen, never kept, with a policy that lets no other code in', async () => {
    const [first, second] = [await get('/console/'), await get('/console/w/an-id/keys?q=x')];
    expect([first.status, second.status, first.headers.get('cache-control')]).toEqual([200, 200, 'no-store']);
    expect(policyOf(first)).toMatch(/script-src 'self';.*trusted-types 'none'/);
    expect(policyOf(first)).not.toMatch(/unsafe|https?:|\*/);
    const page = await first.text();
    expect(page).toContain(`nonce="${nonceOf(first)}"`);
    expect(page).not.toContain('__NONCE__');
    expect(nonceOf(second)).not.toBe(nonceOf(first));
  });

  it('has files that are kept for good, and no page in their place', async () => {
    const page = await (await get('/console/')).text();
    const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    const answer = await get(script);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const again = await get(script, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
    const missing = await get('/console/assets/gone.js');
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  });

  it('is read only, answers HEAD without a body, and /console leads to it', async () => {
    expect((await get('/console/', { method: 'POST' })).status).toBe(405);
    const head = await get('/console/', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const short = await get('/console');
    expect([short.status, short.headers.get('location')]).toEqual([308, '/console/']);
  });

  it.each(['/console/../../package.json', '/console/%2e%2e/%2e%2e/package.json', '/console/assets/../../../package.json'])(
    'gives nothing but its own files: %s',
    async (path) => {
      // `fetch` would clean the path.
      const asked = request(`${fixture.edge.url}`, { path }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      expect(await text(answer)).not.toContain('@parley');
    },
  );
});
