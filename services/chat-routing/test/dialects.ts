import { mistral } from '../src/providers/ai-sdk/kinds/api-key-providers.ts';
import { aiSdk } from '../src/providers/ai-sdk/provider.ts';
import { type HttpPools } from '../src/providers/http-pools.ts';
import { type EmulationDeps, openAiCompatible } from '../src/providers/openai-compatible/provider.ts';
import { openAiOfficial } from '../src/providers/openai/provider.ts';
import { type ChatProvider } from '../src/providers/provider.ts';
import { sandbox } from '../src/providers/sandbox/provider.ts';
import { type ReceivedRequest } from '../src/providers/testing/upstream.ts';

/** How an upstream says the same things as the others. */
export interface Dialect {
  name: string;
  provider: (pools: HttpPools) => ChatProvider;
  /** Whether a call is the turn itself. */
  isTurn: (received: ReceivedRequest) => boolean;
  /** Answers any other call well. */
  besides: (received: ReceivedRequest) => void;
  /** The model that says it has answered; undefined where the upstream does not say. */
  model: string | undefined;
  /** The turn was taken. */
  accepted: string;
  delta: (text: string) => string;
  /** The end of an answer of 3 tokens in and 4 out. */
  end: string;
}

const event = (type: string, data: object = {}) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const chunk = (data: object) => `data: ${JSON.stringify(data)}\n\n`;
const json = ({ res }: ReceivedRequest, body: object) =>
  void res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const unused = () => {
  throw new Error('nothing is to be read');
};
const bounds = { count: unused, budget: 1 };
const EMULATION: EmulationDeps = { project: bounds, files: bounds, extractor: { extract: unused } };

/** The upstreams that turns run on. */
export const DIALECTS: readonly Dialect[] = [
  {
    name: 'sandbox',
    provider: sandbox,
    isTurn: ({ path }) => path.endsWith('/messages'),
    besides: (received) => json(received, {}),
    model: undefined,
    accepted: event('accepted', { conversation_id: 'c1', message_id: 'm1' }),
    delta: (text) => event('delta', { text }),
    end: event('done', { message_id: 'm2', finish_reason: 'stop', usage: { input_tokens: 3, output_tokens: 4 } }),
  },
  {
    name: 'openai-compatible',
    provider: (pools) => openAiCompatible(pools, EMULATION),
    isTurn: ({ path }) => path.endsWith('/chat/completions'),
    besides: (received) => json(received, {}),
    model: 'm1-2026',
    accepted: chunk({ model: 'm1-2026', choices: [{ delta: { role: 'assistant', content: '' } }] }),
    delta: (content) => chunk({ choices: [{ delta: { content } }] }),
    end: `${chunk({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 3, completion_tokens: 4 } })}data: [DONE]\n\n`,
  },
  {
    name: 'openai',
    provider: openAiOfficial,
    isTurn: ({ path }) => path === '/v1/responses',
    besides: (received) => json(received, { id: 'conv_1', object: 'conversation' }),
    model: 'm1-2026',
    accepted: event('response.created', { response: { id: 'resp_1' } }),
    delta: (delta) => event('response.output_text.delta', { item_id: 'msg_1', delta }),
    end: event('response.completed', { response: { model: 'm1-2026', usage: { input_tokens: 3, output_tokens: 4 } } }),
  },
  {
    name: 'ai-sdk',
    provider: (pools) => aiSdk(pools, EMULATION, mistral(pools)),
    isTurn: ({ path }) => path.endsWith('/chat/completions'),
    besides: (received) => json(received, {}),
    model: 'm1-2026',
    accepted: chunk({ id: 'c1', created: 1, model: 'm1-2026', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] }),
    delta: (content) => chunk({ choices: [{ index: 0, delta: { content } }] }),
    end: `${chunk({
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
    })}data: [DONE]\n\n`,
  },
];
