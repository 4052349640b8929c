import { afterAll, describe, expect, it } from '@jest/globals';
import { call } from './harness/http.ts';
import { inBothTopologies } from './harness/topologies.ts';
import { TypedProgram } from './harness/typed-program.ts';

const CLIENT = `import createClient from 'openapi-fetch';
import { type paths } from './schema.js';

const { BASE_URL = '', API_KEY = '' } = process.env;
export const parley = createClient<paths>({ baseUrl: BASE_URL, headers: { authorization: \`Bearer \${API_KEY}\` } });
`;

const CHAT = `import { parley } from './client.js';
import { type components } from './schema.js';

const body = (content: string) => ({ model: 'auto', messages: [{ role: 'user' as const, content }] });

const { data, error, response } = await parley.POST('/v1/chat/completions', { body: body('say good evening') });
if (error) throw new Error(typeof error.error === 'string' ? error.error : error.error.code);
// What is not streamed is whole; the types know both.
if (!('object' in data) || data.object !== 'chat.completion') throw new Error('it is in pieces');
const conversation = response.headers.get('x-service-conversation-id') ?? '';

const { data: stream } = await parley.POST('/v1/chat/completions', {
  body: { ...body('say and on'), stream: true },
  params: { header: { 'X-Service-Conversation-Id': conversation } },
  parseAs: 'stream',
});
const lines = (await new Response(stream).text()).split('\\n').filter((line) => line.startsWith('data: {'));
const chunks = lines.map((line) => JSON.parse(line.slice('data: '.length)) as components['schemas']['ChatCompletionChunk']);
const { data: messages } = await parley.GET('/v1/conversations/{conversation_id}/messages', {
  params: { path: { conversation_id: conversation } },
});
const { error: refused } = await parley.GET('/v1/connections', { params: { query: { limit: 0 } } });
console.log(
  JSON.stringify({
    said: data.choices[0]?.message.content,
    streamed: chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join(''),
    last: chunks.at(-1)?.lifecycle_event?.type,
    tokens: data.usage.total_tokens > 0,
    isSame: data.conversation_id === conversation,
    messages: messages?.map(({ role, content }) => [role, content]),
    refused: refused?.error.param,
  }),
);
`;

const WRONG = `import { parley } from './client.js';

await parley.GET('/v1/nothing');
await parley.POST('/v1/chat/completions', { body: { messages: [] } });
await parley.POST('/v1/conversations/{conversation_id}/archive');
`;

describe('a client that is generated from the description', () => {
  let program: TypedProgram | undefined;
  afterAll(async () => program?.[Symbol.asyncDispose]());

  /** Compiles the client once: every topology serves the same description. */
  async function compiled(description: string): Promise<TypedProgram> {
    if (program) return program;
    program = await TypedProgram.from(description);
    await program.write('client.ts', CLIENT);
    await program.write('chat.ts', CHAT);
    expect(await program.compile()).toBe('');
    return program;
  }

  inBothTopologies((gateway) => {
    it('compiles and chats with the gateway', async () => {
      const { text } = await call(gateway(), 'GET', '/openapi-public.json');
      const client = await compiled(text);
      expect(await client.read('openapi.json')).toBe(text);
      expect(JSON.parse(await client.run('chat.js', { BASE_URL: gateway().url, API_KEY: gateway().apiKey }))).toEqual({
        said: 'good evening',
        streamed: 'and on',
        last: 'response.completed',
        tokens: true,
        isSame: true,
        messages: [
          ['user', 'say good evening'],
          ['assistant', 'good evening'],
          ['user', 'say and on'],
          ['assistant', 'and on'],
        ],
        refused: 'limit',
      });
    });
  });

  it('does not compile what the gateway would refuse', async () => {
    if (!program) throw new Error('no client was compiled');
    await program.write('wrong.ts', WRONG);
    const complaints = (await program.compile()).split('\n').flatMap((line) => /^wrong\.ts\((\d+)/.exec(line)?.[1] ?? []);
    expect([...new Set(complaints)]).toEqual(['3', '4', '5']);
  });
});
