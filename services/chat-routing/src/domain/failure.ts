import { type Condition, GatewayError } from '@parley/protos/errors';

/** Whether a conversation can go on, as `continuity_status` in the API has it. */
export type Continuity =
  'available' | 'deleted_upstream' | 'access_lost' | 'session_expired' | 'continuity_lost' | 'project_unavailable' | 'upstream_unavailable';

/**
 * What a turn says about its connection. `ok`: it answered as it should; `unknown`: nothing; `failure`: of the upstream; `rejected`: the
 * upstream blames the request; `model`: it does not know the model; `credit`: the connection has none left; `unauthorized`: HTTP 401;
 * `forbidden`: HTTP 403, which a probe has to confirm; `expired`: the session is over for certain.
 */
export type HealthEffect =
  'ok' | 'unknown' | 'failure' | 'rate_limited' | 'expired' | 'rejected' | 'model' | 'credit' | 'unauthorized' | 'forbidden';

/**
 * What a probe by the gateway found out about a connection. `answered`: it answers turns; `listed`: it lists its models, which proves no credit;
 * `unproven`: it answers, but with nothing that proves anything; `refused`: it does not accept the credentials.
 */
export type ProbeResult = 'answered' | 'listed' | 'unproven' | 'refused' | 'credit' | 'rate_limited' | 'failure';

/** A feature that an upstream may refuse by itself, as a connection's `refused` names it. */
export type Feature = 'images' | 'project_files';

interface Effect {
  health: HealthEffect;
  continuity?: Continuity;
  /** Another connection may answer where this one failed. */
  mayFailOver?: true;
}

const EFFECTS: Partial<Record<Condition, Effect>> = {
  PROVIDER_RATE_LIMITED: { health: 'rate_limited', mayFailOver: true },
  PROVIDER_UNAVAILABLE: { health: 'failure', mayFailOver: true },
  PROVIDER_BAD_ANSWER: { health: 'failure', mayFailOver: true },
  PROVIDER_TIMEOUT: { health: 'failure', mayFailOver: true },
  PROVIDER_NO_CREDIT: { health: 'credit', mayFailOver: true },
  PROVIDER_MODEL_NOT_FOUND: { health: 'model', mayFailOver: true },
  PROVIDER_FORBIDDEN: { health: 'forbidden', mayFailOver: true },
  PROVIDER_REJECTED_REQUEST: { health: 'rejected' },
  ACCOUNT_REAUTH_REQUIRED: { health: 'expired', continuity: 'session_expired', mayFailOver: true },
  CONVERSATION_DELETED_UPSTREAM: { health: 'ok', continuity: 'deleted_upstream' },
  CONVERSATION_ACCESS_LOST: { health: 'ok', continuity: 'access_lost' },
  CONVERSATION_CONTINUITY_LOST: { health: 'ok', continuity: 'continuity_lost' },
  CONVERSATION_PROJECT_UNAVAILABLE: { health: 'ok', continuity: 'project_unavailable' },
};

/** What a failed turn means for the connection and the conversation. Conditions that say nothing of either leave both as they are. */
export function getEffect(condition: Condition): Effect {
  return EFFECTS[condition] ?? { health: 'unknown' };
}

/**
 * What a failure says about its connection. ACCOUNT_REAUTH_REQUIRED that was read off an HTTP status may be a passing fault of the upstream, and is
 * believed when it is repeated or confirmed; an adapter that knows for certain that a session is over leaves `upstream.status` unset.
 */
export function toHealthEffect({ condition, upstream }: GatewayError): HealthEffect {
  const { health } = getEffect(condition);
  if (health !== 'expired' || upstream?.status === undefined) return health;
  return upstream.status === 403 ? 'forbidden' : 'unauthorized';
}

/** What the failure of a probe found out; undefined for a failure of the gateway, which proves nothing. */
export function toProbeResult(error: GatewayError): ProbeResult | undefined {
  const health = toHealthEffect(error);
  switch (health) {
    case 'expired':
    case 'unauthorized':
    case 'forbidden':
      return 'refused';
    case 'failure':
    case 'rate_limited':
    case 'credit':
      return health;
    case 'rejected':
    case 'model':
      return 'unproven';
    default:
      return isUnlisted(error) ? 'unproven' : undefined;
  }
}

/** Whether an upstream that was asked for its models answered only that it has no such list. */
export function isUnlisted({ condition }: GatewayError): boolean {
  return condition === 'INVALID_REQUEST';
}

/** Whether a turn that no upstream has accepted may be put to another connection after this failure. */
export function mayFailOver(condition: Condition): boolean {
  return getEffect(condition).mayFailOver === true;
}

const LOST: Partial<Record<Continuity, Condition>> = {
  deleted_upstream: 'CONVERSATION_DELETED_UPSTREAM',
  access_lost: 'CONVERSATION_ACCESS_LOST',
  continuity_lost: 'CONVERSATION_CONTINUITY_LOST',
  project_unavailable: 'CONVERSATION_PROJECT_UNAVAILABLE',
};

/** Refuses a conversation that is lost for good. The passing states follow from the connection and are judged there. */
export function requireContinuity(status: string): void {
  const condition = LOST[status as Continuity];
  if (condition) throw new GatewayError(condition, `the conversation cannot be continued: ${status}`);
}
