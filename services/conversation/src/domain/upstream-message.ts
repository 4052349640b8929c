import type { UpstreamMessage as Said } from '@parley/protos/conversation/v1/resource';
import { GatewayError } from '@parley/protos/errors';
import type { UpstreamMessage } from './merge-matches.ts';
import { storable } from './text.ts';

const ROLES = ['system', 'user', 'assistant'];

/** What an upstream says, as it can be stored. @throws VALIDATION_ERROR for a message without an id or with an unknown role. */
export function upstreamMessages(messages: readonly Said[]): UpstreamMessage[] {
  return messages.map(({ role, text, model, createdAt, ...ids }) => {
    const upstreamId = storable(ids.upstreamId);
    if (upstreamId === '' || !ROLES.includes(role)) {
      throw new GatewayError('VALIDATION_ERROR', 'messages need an id and a role', { param: 'messages' });
    }
    const isDated = createdAt !== undefined && !Number.isNaN(createdAt.getTime());
    const clientTurnId = ids.clientTurnId.toLowerCase();
    return { upstreamId, role, text: storable(text), model: storable(model), clientTurnId, createdAt: isDated ? createdAt : undefined };
  });
}
