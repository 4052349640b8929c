import { type Logger } from '@parley/kit/log/logger';
import { type Caller } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { type GatewayError } from '@parley/protos/errors';
import { type Connection } from '../connections/connection.ts';
import { type ContinuityStatus, getErrorEffect } from '../domain/error-effects.ts';

const CONTINUITY_MS = 3_000;

/** Dependencies of `recordContinuity`. */
export interface ContinuityDeps {
  conversation: Stub<typeof ConversationServiceService>;
  log: Logger;
}

/** Records the continuity status of a conversation in the background; errors are logged. */
export function recordContinuity(deps: ContinuityDeps, conversationId: string, status: ContinuityStatus, caller: Caller): void {
  deps.conversation
    .setContinuity({ conversationId, status }, { caller, deadlineMs: CONTINUITY_MS })
    .catch((err: unknown) =>
      deps.log.warn({ err, requestId: caller.requestId, conversationId, status }, 'the continuity of a conversation was not recorded'),
    );
}

/** Continuity status that an error implies; undefined when it implies none. `session_expired` only once the connection has expired. */
export function findImpliedContinuity(connection: Connection, { condition }: GatewayError): ContinuityStatus | undefined {
  const { continuity } = getErrorEffect(condition);
  return continuity === 'session_expired' && connection.admission() !== 'expired' ? undefined : continuity;
}
