import { type Connection } from '@parley/protos/routing/v1/routing';
import { type Admission } from './breaker.ts';

/** What a connection record is made of. */
export interface ConnectionFacts {
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
    createdAt: Date;
    lastUsedAt: Date | null;
  };
  traits: { family: string | null; supports: readonly string[] };
  configured: boolean;
  proven: boolean;
  openings: number;
  admission: Admission;
  cooldownMs: number;
  /** Features that the upstream refused lately. */
  refused: readonly string[];
}

/** Openings in a row after which a breaker means "reconnect" and no longer "wait". */
const GIVES_UP = 3;

/** Status and health of a connection (spec §2.5), with the cooldown that is left. */
export function connectionView(facts: ConnectionFacts): Connection {
  const { row, traits, cooldownMs } = facts;
  const health = healthOf(facts);
  const cooling = health === 'rate_limited' || health === 'cooldown';
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    label: row.label,
    provider: row.provider,
    providerFamily: traits.family ?? undefined,
    status: statusOf(facts),
    health,
    isDefault: row.isDefault,
    createdAt: row.createdAt,
    lastUsedAt: row.lastUsedAt ?? undefined,
    cooldownSeconds: cooling ? Math.ceil(cooldownMs / 1000) : undefined,
    supports: [...traits.supports],
    refused: [...facts.refused],
    baseUrl: row.baseUrl,
    models: row.models,
    maxConcurrency: row.maxConcurrency ?? undefined,
  };
}

function statusOf({ row, configured, admission }: ConnectionFacts): string {
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

function healthOf({ admission, openings, proven }: ConnectionFacts): string {
  switch (admission) {
    case 'expired':
      return 'unhealthy';
    case 'rate_limited':
      return 'rate_limited';
    case 'open':
    case 'half_open':
      return openings >= GIVES_UP ? 'unhealthy' : 'cooldown';
    case 'closed':
      return proven ? 'healthy' : 'unknown';
  }
}
