import { type Condition, GatewayError } from '@parley/protos/errors';

/** What the upstream's refusal says about the conversation (spec §2.2). */
export type Continuity =
  'available' | 'deleted_upstream' | 'access_lost' | 'session_expired' | 'continuity_lost' | 'project_unavailable' | 'upstream_unavailable';

/** What a turn says about its account. `ok`: the account answered as it should; `unknown`: nothing. */
export type HealthEffect = 'ok' | 'unknown' | 'failure' | 'rate_limited' | 'expired';

/** What an upstream may refuse for itself, as it is called in a connection's `refused` (spec §2.6). */
export type Feature = 'images' | 'project_files';

interface Effect {
  health: HealthEffect;
  continuity?: Continuity;
}

const EFFECTS: Partial<Record<Condition, Effect>> = {
  PROVIDER_RATE_LIMITED: { health: 'rate_limited' },
  PROVIDER_UNAVAILABLE: { health: 'failure' },
  PROVIDER_BAD_ANSWER: { health: 'failure' },
  PROVIDER_TIMEOUT: { health: 'failure' },
  ACCOUNT_REAUTH_REQUIRED: { health: 'expired', continuity: 'session_expired' },
  CONVERSATION_DELETED_UPSTREAM: { health: 'ok', continuity: 'deleted_upstream' },
  CONVERSATION_ACCESS_LOST: { health: 'ok', continuity: 'access_lost' },
  CONVERSATION_CONTINUITY_LOST: { health: 'ok', continuity: 'continuity_lost' },
  CONVERSATION_PROJECT_UNAVAILABLE: { health: 'ok', continuity: 'project_unavailable' },
};

/** What a failed turn means for the account and the conversation. Conditions that say nothing of either leave both as they are. */
export function effectOf(condition: Condition): Effect {
  return EFFECTS[condition] ?? { health: 'unknown' };
}

const LOST: Partial<Record<Continuity, Condition>> = {
  deleted_upstream: 'CONVERSATION_DELETED_UPSTREAM',
  access_lost: 'CONVERSATION_ACCESS_LOST',
  continuity_lost: 'CONVERSATION_CONTINUITY_LOST',
  project_unavailable: 'CONVERSATION_PROJECT_UNAVAILABLE',
};

/** Refuses a conversation that is lost for good. The passing states follow from the account and are judged there. */
export function requireContinuity(status: string): void {
  const condition = LOST[status as Continuity];
  if (condition) throw new GatewayError(condition, `the conversation cannot be continued: ${status}`);
}
