import { describe, expect, it } from '@jest/globals';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI, type ChatOpenAIFields, OpenAIEmbeddings } from '@langchain/openai';
import { makeTenant, onlyAccount } from './harness/tenant.ts';
import { inBothTopologies } from './harness/topologies.ts';

const TOOL = { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object', properties: {} } } };
const SCHEMA = { title: 'answer', type: 'object', properties: { door: { type: 'string' } }, required: ['door'] };

describe('LangChain.js', () => {
  inBothTopologies((gateway) => {
    const model = (fields: ChatOpenAIFields = {}, apiKey = gateway().apiKey) =>
      new ChatOpenAI({ model: 'auto', apiKey, maxRetries: 0, configuration: { baseURL: `${gateway().url}/v1` }, ...fields });

    it.each<[string, ChatOpenAIFields]>([
      ['nothing', {}],
      ['what asks for nothing more', { n: 1, logprobs: false }],
      ['what is accepted and ignored', { temperature: 0.2, topP: 0.9, maxTokens: 50, stop: ['.'], modelKwargs: { seed: 1, user: 'ada' } }],
    ])('is answered when it sends %s', async (_what, fields) => {
      const { content, usage_metadata: usage } = await model(fields).invoke([new HumanMessage('say two words')]);
      expect(content).toBe('two words');
      expect(usage?.output_tokens).toBeGreaterThan(0);
    });

    it('streams with its usage, and runs a batch', async () => {
      const parts: string[] = [];
      let tokens = 0;
      for await (const { text, usage_metadata: usage } of await model().stream('count to 5')) {
        parts.push(text);
        tokens += usage?.output_tokens ?? 0;
      }
      expect(parts.filter((part) => part !== '')).toEqual(['1', ' 2', ' 3', ' 4', ' 5']);
      expect(tokens).toBeGreaterThan(0);
      const answers = await model().batch(['say one', 'say two']);
      expect(answers.map(({ content }) => content)).toEqual(['one', 'two']);
    });

    it('gets an object where the answer is one', async () => {
      const structured = model().withStructuredOutput(SCHEMA, { method: 'jsonSchema' });
      expect(await structured.invoke('say {"door":"blue"}')).toEqual({ door: 'blue' });
    });

    it.each([
      ['tools', () => model().bindTools([TOOL])],
      ['tools', () => model().withStructuredOutput(SCHEMA, { method: 'functionCalling' })],
      ['n', () => model({ n: 2 })],
      ['logprobs', () => model({ logprobs: true })],
    ])('receives an error that %s is not supported', async (param, make) => {
      const refused = { status: 400, code: 'UNSUPPORTED_PARAMETER', param };
      await expect(make().invoke('hello')).rejects.toMatchObject(refused);
    });

    it('receives an error that there are no embeddings', async () => {
      const embeddings = new OpenAIEmbeddings({
        apiKey: gateway().apiKey,
        maxRetries: 0,
        configuration: { baseURL: `${gateway().url}/v1` },
      });
      await expect(embeddings.embedQuery('hello')).rejects.toMatchObject({ status: 404, code: 'not_found' });
    });

    it('tries again what may pass, and is answered', async () => {
      const tenant = await makeTenant(gateway);
      await onlyAccount(tenant).order({ fault: 'server_error' });
      const { content } = await model({ maxRetries: 2 }, tenant.apiKey).invoke('say again');
      expect(content).toBe('again');
    });

    it('throws what breaks off in the middle of a stream', async () => {
      const tenant = await makeTenant(gateway);
      await onlyAccount(tenant).order({ fault: 'error_mid_stream', after_chunks: 2 });
      const parts: string[] = [];
      const read = async () => {
        for await (const { text } of await model({}, tenant.apiKey).stream('count to 5')) parts.push(text);
      };
      await expect(read()).rejects.toMatchObject({ code: 'PROVIDER_UNAVAILABLE' });
      expect(parts.join('')).toBe('1 2');
    });
  });
});
