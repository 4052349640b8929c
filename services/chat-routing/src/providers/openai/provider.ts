import { LRUCache } from 'lru-cache';
import { type Pools } from '../pools.ts';
import { type ChatProvider } from '../provider.ts';
import { chat } from './chat.ts';
import { fetchConversation } from './fetch-conversation.ts';
import { openAiFiles } from './files.ts';
import { listModels } from './models.ts';
import { openAiProjects } from './projects.ts';

/**
 * The official OpenAI API: Responses, Conversations, Files, vector stores, image generation, containers. Stateful; mapping: see README.md.
 */
export function openAiOfficial(pools: Pools): ChatProvider {
  const plainModels = new LRUCache<string, true>({ max: 1_000 });
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
    chat: (turn, sink) => chat({ pools, plainModels }, turn, sink),
    connect: async (connection) => ({ models: await listModels(pools, connection), secret: connection.secret }),
    test: async (connection) => ({ models: await listModels(pools, connection) }),
    files: openAiFiles(pools),
    projects: openAiProjects(pools),
    fetchConversation: (connection, upstreamState) => fetchConversation(pools, connection, upstreamState),
  };
}
