import { type Pools } from '../pools.ts';
import { type ChatProvider } from '../provider.ts';
import { chat } from './chat.ts';
import { discardTurn } from './discard-turn.ts';
import { fetchConversation } from './fetch-conversation.ts';
import { sandboxFiles } from './files.ts';
import { sandboxProjects } from './projects.ts';
import { listModels, openSession } from './session.ts';

/** The sandbox upstream: a web chat product with sessions, conversation trees and faults on demand. Stateful. */
export function sandbox(pools: Pools): ChatProvider {
  return {
    traits: {
      name: 'sandbox',
      family: 'sandbox',
      purpose: 'chat',
      conversationState: 'upstream',
      supports: ['text', 'images', 'conversation_files', 'projects', 'project_files'],
      needsSecret: true,
      trustsNamedModels: false,
    },
    chat: (turn, sink) => chat(pools, turn, sink),
    connect: async (account) => {
      const secret = await openSession(pools, account);
      return { secret, models: await listModels(pools, { ...account, secret }) };
    },
    test: async (account) => ({ models: await listModels(pools, account) }),
    files: sandboxFiles(pools),
    projects: sandboxProjects(pools),
    discardTurn: (account, turnId) => discardTurn(pools, account, turnId),
    fetchConversation: (account, upstreamState) => fetchConversation(pools, account, upstreamState),
  };
}
