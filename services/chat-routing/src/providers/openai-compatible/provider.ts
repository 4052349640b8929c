import { GatewayError } from '@parley/protos/errors';
import { type Pools } from '../pools.ts';
import { type ChatProvider } from '../provider.ts';
import { chat } from './chat.ts';
import { listModels } from './models.ts';
import { type PreambleBounds } from './project-preamble.ts';
import { emulatedProjects } from './projects.ts';

const notYet = async (): Promise<never> => {
  throw new GatewayError('NOT_IMPLEMENTED', 'not available yet');
};

/** Any server with `/v1/chat/completions`: Ollama, vLLM, llama.cpp, LM Studio, another gateway. Stateless: history is replayed. */
export function openAiCompatible(pools: Pools, bounds: PreambleBounds): ChatProvider {
  return {
    traits: {
      name: 'openai-compatible',
      family: 'openai',
      conversationState: 'replayed',
      supports: ['text', 'images', 'projects', 'project_files'],
      needsSecret: false,
    },
    chat: (turn, sink) => chat(pools, bounds, turn, sink),
    connect: async (account) => ({ models: await listModels(pools, account), secret: account.secret }),
    projects: emulatedProjects(notYet),
    test: async (account) => ({ models: await listModels(pools, account) }),
  };
}
