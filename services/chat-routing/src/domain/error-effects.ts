import { type ErrorCondition, GatewayError } from '@parley/protos/errors';

/** Whether a conversation can be continued; the values of `continuity_status` in the API. */
export type ContinuityStatus =
  | 'available'
  | 'deleted_upstream'
  | 'access_lost'
  | 'session_expired'
  | 'continuity_lost'
  | 'project_unavailable'
  | 'upstream_unavailable';

/**
 * What the result of a turn implies for its connection. `ok`: it works; `unknown`: nothing; `failure`: the upstream failed; `rejected`: the
 * upstream rejected the request; `model`: it does not know the model; `credit`: no credit is left; `unauthorized`: HTTP 401; `forbidden`:
 * HTTP 403, which a probe has to confirm; `expired`: the session has certainly expired.
 */
export type HealthEffect =
  | 'ok'
  | 'unknown'
  | 'failure'
  | 'rate_limited'
  | 'expired'
  | 'rejected'
  | 'model'
  | 'credit'
  | 'unauthorized'
  | 'forbidden';

/**
 * Result of a probe of a connection. `answered`: it answered a turn; `listed`: it listed its models, which does not prove credit;
 * `unproven`: it responded, but the response proves nothing; `refused`: it does not accept the credentials.
 */
export type ProbeResult = 'answered' | 'listed' | 'unproven' | 'refused' | 'credit' | 'rate_limited' | 'failure';

/** A feature that an upstream may refuse while turns work; the values of a connection's `refused`. */
export type UpstreamFeature = 'images' | 'project_files';

interface Effect {
  health: HealthEffect;
  continuity?: ContinuityStatus;
  /** Another connection may answer where this one failed. */
  mayFailOver?: true;
}

const EFFECTS: Partial<Record<ErrorCondition, Effect>> = {
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

/** Returns the effect of an error on the connection and the conversation. For conditions without one: `unknown` health, no continuity. */
export function getErrorEffect(condition: ErrorCondition): Effect {
  return EFFECTS[condition] ?? { health: 'unknown' };
}

/**
 * Returns the effect of an error on its connection's health. An ACCOUNT_REAUTH_REQUIRED that was derived from an HTTP status may be a
 * temporary fault, so it maps to `unauthorized` or `forbidden`, which need confirmation. An adapter that knows that a session has expired
 * leaves `upstream.status` unset.
 */
export function toHealthEffect({ condition, upstream }: GatewayError): HealthEffect {
  const { health } = getErrorEffect(condition);
  if (health !== 'expired' || upstream?.status === undefined) return health;
  return upstream.status === 403 ? 'forbidden' : 'unauthorized';
}

/** Converts the error of a probe to its result; undefined for an error of the gateway itself, which proves nothing. */
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
      return isModelListMissing(error) ? 'unproven' : undefined;
  }
}

/** Whether the error of a model-list request only means that the upstream has no model list. */
export function isModelListMissing({ condition }: GatewayError): boolean {
  return condition === 'INVALID_REQUEST';
}

/** Whether a turn that no upstream has accepted may fail over to another connection after this error. */
export function mayFailOver(condition: ErrorCondition): boolean {
  return getErrorEffect(condition).mayFailOver === true;
}

const LOST: Partial<Record<ContinuityStatus, ErrorCondition>> = {
  deleted_upstream: 'CONVERSATION_DELETED_UPSTREAM',
  access_lost: 'CONVERSATION_ACCESS_LOST',
  continuity_lost: 'CONVERSATION_CONTINUITY_LOST',
  project_unavailable: 'CONVERSATION_PROJECT_UNAVAILABLE',
};

/** Throws the error of a conversation that is permanently lost. Accepts temporary statuses, which depend on the connection. */
export function requireContinuableStatus(status: string): void {
  const condition = LOST[status as ContinuityStatus];
  if (condition) throw new GatewayError(condition, `the conversation cannot be continued: ${status}`);
}
