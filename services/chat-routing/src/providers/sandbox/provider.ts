import { type Pools } from '../pools.ts';
import { type ChatProvider } from '../provider.ts';
import { chat } from './chat.ts';
import { sandboxFlow } from './connect-flow.ts';
import { discardTurn } from './discard-turn.ts';
import { fetchConversation } from './fetch-conversation.ts';
import { sandboxFiles } from './files.ts';
import { sandboxProjects } from './projects.ts';
import { listModels, openSession } from './session.ts';

/** The sandbox upstream: a web chat product with sessions, conversation trees and faults on demand. Stateful. `home`: where it is unless a person names another place. */
export function sandbox(pools: Pools, home?: string): ChatProvider {
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
    connect: async (connection) => {
      const secret = await openSession(pools, connection);
      return { secret, models: await listModels(pools, { ...connection, secret }) };
    },
    test: async (connection) => ({ models: await listModels(pools, connection) }),
    connectFlow: { title: 'Sandbox', flow: sandboxFlow(pools, home) },
    files: sandboxFiles(pools),
    projects: sandboxProjects(pools),
    discardTurn: (connection, turnId) => discardTurn(pools, connection, turnId),
    fetchConversation: (connection, upstreamState) => fetchConversation(pools, connection, upstreamState),
  };
}
