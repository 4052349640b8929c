import { GatewayError } from '@parley/protos/errors';
import { type HttpPools } from '../http-pools.ts';
import { type TurnFile, type UpstreamTurn } from '../upstream-turn.ts';
import { createOpenAiClient } from './client.ts';
import { requireUpstreamConversation } from './conversations.ts';
import { withCodedErrors } from './failures.ts';

/**
 * Resolves the 404 response to a turn to what does not exist: the upstream names it only in free text, so conversation, project and files
 * are each requested. Returns the matching coded error, or `refusal` when all exist. Never rejects.
 */
export async function resolveNotFoundError(
  pools: HttpPools,
  { connection, project, files }: UpstreamTurn,
  conversation: string,
  refusal: GatewayError,
): Promise<GatewayError> {
  const client = createOpenAiClient(pools, connection);
  const gone = (condition: 'CONVERSATION_PROJECT_UNAVAILABLE' | 'ASSET_NOT_FOUND', what: string) =>
    new GatewayError(condition, `${what} was deleted upstream`);
  const asked = await Promise.allSettled([
    requireUpstreamConversation(pools, connection, conversation),
    ...(project
      ? [withCodedErrors(client.vectorStores.retrieve(project.upstreamRef), gone('CONVERSATION_PROJECT_UNAVAILABLE', 'the project'))]
      : []),
    ...files.map(({ upstreamRef }: TurnFile) =>
      withCodedErrors(client.files.retrieve(upstreamRef), gone('ASSET_NOT_FOUND', 'a file of this turn')),
    ),
  ]);
  const reasons = asked.flatMap((one) => (one.status === 'rejected' && one.reason instanceof GatewayError ? [one.reason] : []));
  return reasons.find(({ condition }) => GONE.has(condition)) ?? refusal;
}

const GONE: ReadonlySet<string> = new Set(['CONVERSATION_DELETED_UPSTREAM', 'CONVERSATION_PROJECT_UNAVAILABLE', 'ASSET_NOT_FOUND']);
