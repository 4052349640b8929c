import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connection } from './fake-routing.ts';
import { API_KEY, call, type ErrorBody, type TestFixture, OPERATOR_KEY, startFixture } from './harness.ts';
import { operatorToken } from './operator.ts';

describe('discovery', () => {
  let fixture: TestFixture;
  let url: string;
  beforeAll(async () => {
    fixture = await startFixture();
    url = fixture.edge.url;
  });
  beforeEach(() => {
    fixture.services.routing.connections = [connection()];
    fixture.services.routing.failure = undefined;
  });
  afterAll(async () => fixture[Symbol.asyncDispose]());

  const get = <T = ErrorBody>(path: string, key = API_KEY) => call<T>(`${url}${path}`, { key });

  describe('the page at /', () => {
    const AS_BROWSER = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

    it('returns the name of the service and the links to its documentation as JSON', async () => {
      const { status, body, headers } = await call<Record<string, string>>(`${url}/`);
      expect([status, headers.get('vary')]).toEqual([200, expect.stringContaining('Accept')]);
      expect(body).toMatchObject({ platform: 'parley', base_url: `${url}/v1`, docs_url: `${url}/docs-public`, command_line: 'npx parley' });
      expect(body['answered_by']).toContain('connections');
    });

    it('is a page without scripts for browsers', async () => {
      const answer = await fetch(`${url}/`, AS_BROWSER);
      const page = await answer.text();
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page).toContain(`<code>${url}/v1</code>`);
      expect(page).not.toContain('<script');
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      for (const [, path = ''] of page.matchAll(/href="([^"]+)"/g)) {
        if (!path.startsWith('data:')) expect([path, (await fetch(new URL(path, `${url}/`))).status]).toEqual([path, 200]);
      }
    });

    it('names the sandbox where it answers', async () => {
      await using sandboxed = await startFixture({ sandbox: true });
      const { body } = await call<Record<string, string>>(`${sandboxed.edge.url}/`);
      expect(body['answered_by']).toMatch(/sandbox .*not a language model/);
      expect(await (await fetch(`${sandboxed.edge.url}/`, AS_BROWSER)).text()).toMatch(/sandbox .*not a language model/);
    });
  });

  describe('models', () => {
    it('lists auto first, then the models of connected accounts', async () => {
      const { status, body } = await get<{ object: string; data: { id: string; owned_by: string }[] }>('/v1/models');
      expect([status, body.object]).toEqual([200, 'list']);
      expect(body.data.map(({ id, owned_by }) => [id, owned_by])).toEqual([
        ['auto', 'parley'],
        ['sandbox-1', 'sandbox'],
      ]);
    });

    it('answers HEAD without a body', async () => {
      const { status, body } = await call(`${url}/v1/models`, { method: 'HEAD', key: API_KEY });
      expect([status, body]).toEqual([200, undefined]);
    });
  });

  describe('usage', () => {
    it('reports the key’s own usage of seven days by default', async () => {
      const { status, body } = await get<Record<string, unknown>>('/v1/usage');
      expect(status).toBe(200);
      expect(body).toEqual({
        period: '7d',
        scope: 'api_key',
        total_requests: 3,
        successful: 2,
        errors: 1,
        rate_limited: 0,
        total_tokens_in: 10,
        total_tokens_out: 20,
        total_duration_ms: 30,
        by_model: [{ model: 'sandbox-1', requests: 3, tokens_in: 10, tokens_out: 20 }],
        by_day: [{ date: '2025-01-31', requests: 3, tokens: 30 }],
      });
    });

    it('reports everybody’s usage to the operator', async () => {
      const { body } = await get<{ scope: string }>('/v1/usage?period=24h', OPERATOR_KEY);
      expect(body.scope).toBe('all');
      expect(fixture.services.usageCalls.at(-1)?.call.caller).toMatchObject({ keyId: '', workspaceId: '' });
    });

    it.each(['1y', '', '24h&period=7d'])('refuses the period %j', async (period) => {
      const { status, body } = await get(`/v1/usage?period=${period}`);
      expect([status, body.error.code, body.error.param]).toEqual([422, 'VALIDATION_ERROR', 'period']);
    });
  });

  describe('capabilities', () => {
    interface Manifest {
      base_url: string;
      openapi_url: string;
      docs_url: string;
      capabilities: Record<string, { enabled: boolean; supported: boolean; reason?: string }>;
      providers: Record<string, { connected: boolean; supports: string[] }>;
    }

    it('enables what a connected account can do and nothing that has no route yet', async () => {
      const { body } = await get<Manifest>('/v1/capabilities');
      expect(body.base_url).toBe(url);
      expect(body.capabilities.chat).toMatchObject({
        enabled: true,
        supported: true,
        features: { text: true, multi_account_routing: false },
      });
      expect(body.capabilities.projects).toMatchObject({ enabled: false, supported: true });
      expect(body.capabilities.images).toMatchObject({ enabled: true, state: 'unknown', verified: false });
      expect(body.providers).toEqual({
        sandbox: { connected: true, supports: ['conversation_files', 'images', 'text'] },
        flite: { connected: true, supports: ['speech'] },
        pocketsphinx: { connected: true, supports: ['transcription'] },
      });
    });

    it.each([
      ['no account', [], 'no_connected_account'],
      ['only disabled accounts', [connection({ status: 'disabled' })], 'account_disabled'],
      ['only expired accounts', [connection({ status: 'expired' })], 'no_connected_account'],
    ])('says why chat is off with %s', async (_name, connections, reason) => {
      fixture.services.routing.connections = connections;
      const { body } = await get<Manifest>('/v1/capabilities');
      expect(body.capabilities.chat).toMatchObject({ enabled: false, supported: true, reason });
    });

    it('points at documents that exist', async () => {
      const { body } = await get<Manifest>('/v1/capabilities');
      expect((await call(body.openapi_url)).status).toBe(200);
      expect(body.docs_url).toMatch(/\/docs-public$/);
    });
  });

  describe('the operator on /v1', () => {
    it.each(['/v1/models', '/v1/capabilities', '/v1/connections', '/v1/usage'])('may ask %s', async (path) => {
      expect((await get(path, OPERATOR_KEY)).status).toBe(200);
    });

    it('may not chat, having no workspace', async () => {
      const { status, body } = await call<ErrorBody>(`${url}/v1/chat/completions`, { method: 'POST', key: OPERATOR_KEY, body: {} });
      expect([status, body.error.code]).toEqual([403, 'TENANT_ACCESS_DENIED']);
    });
  });

  describe('paths and methods', () => {
    it('answers an unknown path with 404', async () => {
      const { status, body, headers } = await get('/v1/nothing');
      expect([status, body.error.code, body.error.type]).toEqual([404, 'not_found', 'invalid_request_error']);
      expect(body.error.request_id).toBe(headers.get('x-request-id'));
    });

    it.each([
      ['DELETE', '/v1/models', 'GET, HEAD, OPTIONS'],
      ['GET', '/v1/chat/completions', 'POST, OPTIONS'],
      ['PUT', '/admin/v1/keys', 'GET, HEAD, POST, OPTIONS'],
    ])('answers %s %s with 405 and what is allowed', async (method, path, allow) => {
      const { status, body, headers } = await call<ErrorBody>(`${url}${path}`, { method });
      expect([status, body.error.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', allow]);
    });
  });

  describe('health', () => {
    it('is alive and ready, with every part named', async () => {
      expect((await call(`${url}/livez`)).body).toEqual({ status: 'ok' });
      const { status, body } = await call<{ status: string; checks: Record<string, { ok: boolean }> }>(`${url}/readyz`);
      expect([status, body.status]).toEqual([200, 'ready']);
      expect(Object.keys(body.checks)).toEqual([
        'database',
        'broker',
        'chat-routing',
        'conversation',
        'usage',
        'asset',
        'audio',
        'actions',
      ]);
      expect(body.checks.database?.ok).toBe(true);
    });
  });

  describe('CORS', () => {
    const origin = 'https://app.example.com';

    it('answers a preflight, reflecting the headers it asks for', async () => {
      const { status, headers } = await call(`${url}/v1/chat/completions`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization, x-stainless-os' },
      });
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
      expect(headers.get('access-control-allow-headers')).toBe('authorization, x-stainless-os');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    });

    it.each([
      ['an answer', '/v1/models', API_KEY],
      ['an error', '/v1/models', 'nonsense'],
    ])('lets browsers read %s', async (_name, path, key) => {
      const { headers } = await call(`${url}${path}`, { key, headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    });

    it('gives nothing to browsers on the operator’s surface', async () => {
      const { headers } = await call(`${url}/admin/v1/keys`, { key: await operatorToken(fixture), headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    });
  });

  it('logs one line per request without keys or queries', async () => {
    const { headers, body } = await get('/v1/usage?period=24h');
    const id = headers.get('x-request-id');
    const lines = fixture.lines.filter(({ requestId }) => requestId === id);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ operation: 'getUsage', method: 'GET', status: 200, msg: 'request' });
    // The connection has served other requests before.
    const size = Buffer.byteLength(JSON.stringify(body));
    expect(Number(lines[0]?.['bytes']) - size).toBeGreaterThan(100);
    expect(Number(lines[0]?.['bytes']) - size).toBeLessThan(1_000);
    expect(JSON.stringify(fixture.lines)).not.toContain(API_KEY);
  });
});
