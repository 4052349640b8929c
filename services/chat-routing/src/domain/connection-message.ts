import { type Connection } from '@parley/protos/routing/v1/routing';
import { type Admission, type BreakerState } from './breaker.ts';
import { isPaused } from './paused-models.ts';

/** Input of `toConnectionMessage`. */
export interface ConnectionMessageInput {
  row: {
    id: string;
    workspaceId: string;
    label: string;
    provider: string;
    baseUrl: string;
    models: string[];
    enabled: boolean;
    isDefault: boolean;
    maxConcurrency: number | null;
    pass: string[];
    defaultModel: string;
    aliases: Record<string, string>;
    createdAt: Date;
    lastUsedAt: Date | null;
  };
  traits: { family: string | null; supports: readonly string[] };
  configured: boolean;
  state: BreakerState;
  admission: Admission;
  cooldownMs: number;
  /** Current time on the state's clock, in milliseconds. */
  now: number;
}

/** Openings in a row after which a connection is reported as unhealthy (reconnect) instead of cooling down (wait). */
const GIVES_UP = 3;

/** All values of a connection's `health`. */
export const CONNECTION_HEALTH_VALUES = ['healthy', 'unknown', 'cooldown', 'rate_limited', 'unhealthy'] as const;

/** Builds the API's connection message, with status, health and the remaining cooldown. */
export function toConnectionMessage(facts: ConnectionMessageInput): Connection {
  const { row, traits, state, cooldownMs, now } = facts;
  const health = toHealth(facts);
  const cooling = health === 'rate_limited' || health === 'cooldown';
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    label: row.label,
    provider: row.provider,
    providerFamily: traits.family ?? undefined,
    status: toStatus(facts),
    health,
    isDefault: row.isDefault,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt ?? undefined,
    cooldownSeconds: cooling ? Math.ceil(cooldownMs / 1000) : undefined,
    supports: [...traits.supports],
    refused: [...state.refused],
    baseUrl: row.baseUrl,
    models: row.models,
    maxConcurrency: row.maxConcurrency ?? undefined,
    pass: row.pass,
    defaultModel: row.defaultModel,
    aliases: row.aliases,
    restingModels: row.models.filter((model) => isPaused(state.resting, model, now)),
    reason: findReason(facts),
  };
}

function toStatus({ row, configured, admission }: ConnectionMessageInput): string {
  if (!row.enabled) return 'disabled';
  if (!configured) return 'configured';
  switch (admission) {
    case 'expired':
      return 'expired';
    case 'rate_limited':
      return 'rate_limited';
    case 'open':
    case 'half_open':
      return 'cooldown';
    case 'closed':
      return 'active';
  }
}

/** Derives the API's `health` of a connection from its admission and breaker state. */
export function toHealth({
  admission,
  state,
}: Pick<ConnectionMessageInput, 'admission' | 'state'>): (typeof CONNECTION_HEALTH_VALUES)[number] {
  switch (admission) {
    case 'expired':
      return 'unhealthy';
    case 'rate_limited':
      return 'rate_limited';
    case 'open':
    case 'half_open':
      return state.openCause === 'failures' && state.openings >= GIVES_UP ? 'unhealthy' : 'cooldown';
    case 'closed':
      return state.proven ? 'healthy' : 'unknown';
  }
}

/** Why the connection accepts no turns, for display; empty when it accepts them or is disabled. */
function findReason({ row, configured, admission, state }: ConnectionMessageInput): string {
  if (!row.enabled) return '';
  if (!configured) return 'The credentials are missing.';
  switch (admission) {
    case 'expired':
      return 'The provider no longer accepts the credentials.';
    case 'rate_limited':
      return 'The provider limits how often it may be asked.';
    case 'open':
    case 'half_open':
      return state.openCause === 'credit' ? 'The credit at the provider is spent.' : 'The provider failed several times.';
    case 'closed':
      return '';
  }
}
