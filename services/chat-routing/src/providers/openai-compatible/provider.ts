import { type Pools } from '../pools.ts';
import { type ChatProvider } from '../provider.ts';
import { chat } from './chat.ts';
import { listModels } from './models.ts';

/** Any server with `/v1/chat/completions`: Ollama, vLLM, llama.cpp, LM Studio, another gateway. Stateless: history is replayed. */
export function openAiCompatible(pools: Pools): ChatProvider {
  return {
    traits: {
      name: 'openai-compatible',
      family: 'openai',
      conversationState: 'replayed',
      supports: ['text', 'images'],
      needsSecret: false,
    },
    chat: (turn, sink) => chat(pools, turn, sink),
    connect: async (account) => ({ models: await listModels(pools, account), secret: account.secret }),
    test: async (account) => ({ models: await listModels(pools, account) }),
  };
}
