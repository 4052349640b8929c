import { describe, expect, it } from '@jest/globals';
import { OPERATIONS as ON_CONVERSATIONS } from './conversations/operations.ts';
import { ask, CHAT, stream } from './harness/chat.ts';
import { readStream } from './harness/event-stream.ts';
import { type Answer, call } from './harness/http.ts';
import { type OpenApi, openApi, validatorOf } from './harness/shape.ts';
import { inBothTopologies } from './harness/topologies.ts';
import { OPERATIONS as OF_WORKSPACES } from './workspace-resources/operations.ts';

const WITH_CONTRACTS = [...ON_CONVERSATIONS, ...OF_WORKSPACES].map(({ method, template }) => `${method} ${template}`);
/** Looked at by the suites in audio/. */
const AUDIO = [
  'POST /v1/audio/transcriptions',
  'POST /v1/audio/generations',
  'GET /v1/audio/generations',
  'GET /v1/audio/generations/{job_id}',
  'GET /v1/audio/generations/{job_id}/content',
  'POST /v1/audio/generations/{job_id}/cancel',
  'POST /v1/audio/generations/{job_id}/retry',
  'POST /v1/audio/speech',
  'GET /v1/audio/providers',
  'GET /v1/audio/providers/{provider}/voices',
  'GET /v1/audio/providers/{provider}/capabilities',
];
const PUBLIC = [
  'GET /livez',
  'GET /openapi-public.json',
  'GET /readyz',
  'GET /v1/capabilities',
  'GET /v1/connections',
  'GET /v1/models',
  'GET /v1/usage',
  `POST ${CHAT}`,
];

describe('the description of the API', () => {
  inBothTopologies((house) => {
    const document = async (): Promise<OpenApi> => openApi.parse((await call(house(), 'GET', '/openapi-public.json')).json);
    const get = (path: string) => call(house(), 'GET', path, { key: house().apiKey });

    it('lists the public operations that exist, and no others', async () => {
      const { paths } = await document();
      const listed = Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
      );
      expect(listed.sort()).toEqual([...PUBLIC, ...AUDIO, ...WITH_CONTRACTS].sort());
      // What the others answer is looked at by the suites of their contracts.
      for (const operation of PUBLIC) {
        const [method = '', path = ''] = operation.split(' ');
        expect((await call(house(), method, path, { key: house().apiKey, body: method === 'POST' ? {} : undefined })).status).toBe(
          method === 'POST' ? 422 : 200,
        );
      }
    });

    it('names every operation once, with the key it needs', async () => {
      const operations = Object.values((await document()).paths).flatMap((path) => Object.values(path));
      expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
      for (const [path, methods] of Object.entries((await document()).paths)) {
        for (const { security } of Object.values(methods)) expect(security).toEqual(path.startsWith('/v1/') ? [{ apiKey: [] }] : []);
      }
    });

    it('describes the routing headers of a turn', async () => {
      const headers = (await document()).paths[CHAT]?.['post']?.parameters
        .filter((parameter) => parameter.in === 'header')
        .map(({ name }) => name);
      expect(headers).toEqual(
        expect.arrayContaining([
          'X-Service-Conversation-Id',
          'X-Service-Upstream-Project',
          'X-Service-Project',
          'X-Service-Upstream-Account',
          'X-Service-Route-Profile',
          'X-Request-Id',
        ]),
      );
    });

    it('keeps the operator’s surface to the operator', async () => {
      expect(JSON.stringify(await document())).not.toContain('/admin/');
      expect((await call(house(), 'GET', '/openapi.json')).status).toBe(401);
      const whole = openApi.parse((await call(house(), 'GET', '/openapi.json', { key: house().operatorKey })).json);
      expect(Object.keys(whole.paths)).toEqual(expect.arrayContaining(['/admin/v1/keys', '/admin/v1/connections', CHAT]));
    });

    it.each(['/v1/models', '/v1/capabilities', '/v1/connections', '/v1/usage', '/livez', '/readyz'])(
      'GET %s answers what is described',
      async (path) => {
        const answer = await get(path);
        expect(answer.status).toBe(200);
        await expectDescribed('get', path, answer);
      },
    );

    it('a turn answers what is described, whole and streamed, and takes what is described', async () => {
      const answer = await ask(house(), { say: 'count to 3' });
      expect(answer.status).toBe(200);
      await expectDescribed('post', CHAT, answer);
      const operation = (await document()).paths[CHAT]?.['post'];
      const chunk = validatorOf(await document(), operation?.responses['200']?.content?.['text/event-stream']?.schema);
      const { chunks } = await readStream(await stream(house(), { say: 'count to 3', body: { stream_options: { include_usage: true } } }));
      for (const event of chunks) expect(chunk.safeParse(event).error).toBeUndefined();
      const request = validatorOf(await document(), operation?.requestBody?.content['application/json']?.schema);
      expect(request.safeParse({ model: 'auto', messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] }).success).toBe(
        true,
      );
      expect(request.safeParse({ model: 'auto', messages: [] }).success).toBe(false);
    });

    it('refusals are what is described', async () => {
      await expectDescribed('post', CHAT, await ask(house(), { body: { messages: [] } }));
      await expectDescribed('post', CHAT, await ask(house(), { key: 'wrong' }));
      await expectDescribed('post', CHAT, await ask(house(), { body: { model: 'no-such-model' } }));
      await expectDescribed('get', '/v1/connections', await get('/v1/connections?limit=0'));
      await expectDescribed('get', '/v1/usage', await call(house(), 'GET', '/v1/usage'));
    });

    async function expectDescribed(method: string, path: string, { status, json }: Answer): Promise<void> {
      const described = await document();
      const responses = described.paths[path]?.[method]?.responses ?? {};
      const schema = (responses[String(status)] ?? responses['default'])?.content?.['application/json']?.schema;
      expect(schema).toBeDefined();
      expect(validatorOf(described, schema).safeParse(json).error).toBeUndefined();
    }
  });
});
