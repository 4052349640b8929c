import { type Pools } from '../pools.ts';
import { type ChatProvider } from '../provider.ts';
import { chat, type ChatBounds } from './chat.ts';
import { emulatedFiles } from './files.ts';
import { listModels } from './models.ts';
import { type Extractor, prepareFile } from './prepare-file.ts';
import { probe } from './probe.ts';
import { emulatedProjects } from './projects.ts';

/** What stands in for files and projects, which such an upstream does not have. */
export interface Emulation extends ChatBounds {
  extractor: Extractor;
}

/** Any server with `/v1/chat/completions`: Ollama, vLLM, llama.cpp, LM Studio, another gateway. Stateless: history is replayed. */
export function openAiCompatible(pools: Pools, { extractor, ...bounds }: Emulation): ChatProvider {
  return {
    traits: {
      name: 'openai-compatible',
      family: 'openai',
      purpose: 'chat',
      conversationState: 'replayed',
      supports: ['text', 'images', 'conversation_files', 'projects', 'project_files'],
      needsSecret: false,
      trustsNamedModels: true,
    },
    chat: (turn, sink) => chat(pools, bounds, turn, sink),
    connect: async (connection) => ({ models: await listModels(pools, connection), secret: connection.secret }),
    files: emulatedFiles(extractor),
    projects: emulatedProjects((file) => prepareFile(extractor, file)),
    test: async (connection) => ({ models: await listModels(pools, connection) }),
    probe: (connection, model) => probe(pools, connection, model),
  };
}
