import { type Call } from '@parley/kit/rpc/call';
import { type Binding } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Connection } from '../connections/connection.ts';
import { type Admission } from '../domain/breaker.ts';
import { type ContinuityStatus } from '../domain/error-effects.ts';
import { type ContinuityDeps, recordContinuity } from './record-continuity.ts';

/**
 * Returns how the connection of a conversation admits a request. When it admits none, records the continuity status of the conversation
 * (not for a rate limit) and throws CONVERSATION_SESSION_EXPIRED, PROVIDER_RATE_LIMITED or CONVERSATION_UPSTREAM_UNAVAILABLE.
 */
export function requireAdmission(
  deps: ContinuityDeps,
  connection: Connection,
  binding: Binding,
  { caller }: Pick<Call, 'caller'>,
): Extract<Admission, 'closed' | 'half_open'> {
  const retryAfterMs = connection.cooldownMs();
  const note = (status: ContinuityStatus) => {
    if (binding.continuityStatus !== status) recordContinuity(deps, binding.conversationId, status, caller);
  };
  const admission = connection.admission();
  switch (admission) {
    case 'closed':
    case 'half_open':
      return admission;
    case 'expired':
      note('session_expired');
      throw new GatewayError('CONVERSATION_SESSION_EXPIRED', 'the session of the account of this conversation has expired');
    case 'rate_limited':
      throw new GatewayError('PROVIDER_RATE_LIMITED', 'the provider limits the account of this conversation', { retryAfterMs });
    case 'open':
      note('upstream_unavailable');
      throw new GatewayError('CONVERSATION_UPSTREAM_UNAVAILABLE', 'the account of this conversation is cooling down', { retryAfterMs });
  }
}
