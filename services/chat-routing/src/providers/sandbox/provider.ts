import { type GatewayError } from '@parley/protos/errors';
import { type HttpPools } from '../http-pools.ts';
import { type ChatProvider } from '../provider.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { chat } from './chat.ts';
import { sandboxFlow } from './connect-flow.ts';
import { fetchConversation } from './fetch-conversation.ts';
import { createSandboxFileOperations } from './files.ts';
import { createSandboxProjectOperations } from './projects.ts';
import { toBearerHeader, listModels, openSession } from './session.ts';
import { toResponseError } from './wire.ts';

/**
 * The sandbox upstream: a web chat product with sessions, conversation trees and faults on demand. Stateful. `home`: its base URL; without
 * it users enter one.
 */
export function sandbox(pools: HttpPools, home?: string): ChatProvider {
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
    files: createSandboxFileOperations(pools),
    projects: createSandboxProjectOperations(pools),
    discardTurn: (connection, turnId) => discardTurn(pools, connection, turnId),
    fetchConversation: (connection, upstreamState) => fetchConversation(pools, connection, upstreamState),
  };
}

/** Deletes the conversation that a turn created, if it did. Throws a coded error. */
async function discardTurn(pools: HttpPools, connection: UpstreamConnection, turnId: string): Promise<void> {
  const path = `/api/openings/${encodeURIComponent(turnId)}`;
  await pools
    .requestJson(connection.baseUrl, path, { method: 'DELETE', headers: toBearerHeader(connection) }, toResponseError)
    .catch((error: GatewayError) => {
      if (error.condition !== 'CONVERSATION_DELETED_UPSTREAM') throw error;
    });
}
