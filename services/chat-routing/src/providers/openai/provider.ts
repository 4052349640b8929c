import { LRUCache } from 'lru-cache';
import { type HttpPools } from '../http-pools.ts';
import { type ChatProvider } from '../provider.ts';
import { chat } from './chat.ts';
import { fetchConversation } from './fetch-conversation.ts';
import { createOpenAiFileOperations } from './files.ts';
import { listModels } from './models.ts';
import { createOpenAiProjectOperations } from './projects.ts';

/**
 * The official OpenAI API: Responses, Conversations, Files, vector stores, image generation, containers. Stateful; mapping: see README.md.
 */
export function openAiOfficial(pools: HttpPools): ChatProvider {
  const modelsWithoutTools = new LRUCache<string, true>({ max: 1_000 });
  return {
    traits: {
      name: 'openai',
      family: 'openai',
      purpose: 'chat',
      conversationState: 'upstream',
      supports: ['text', 'images', 'conversation_files', 'projects', 'project_files'],
      needsSecret: true,
      trustsNamedModels: false,
      baseUrl: 'https://api.openai.com/v1',
    },
    chat: (turn, sink) => chat({ pools, modelsWithoutTools }, turn, sink),
    connect: async (connection) => ({ models: await listModels(pools, connection), secret: connection.secret }),
    test: async (connection) => ({ models: await listModels(pools, connection) }),
    files: createOpenAiFileOperations(pools),
    projects: createOpenAiProjectOperations(pools),
    fetchConversation: (connection, upstreamState) => fetchConversation(pools, connection, upstreamState),
  };
}
