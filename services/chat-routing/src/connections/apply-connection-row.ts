import { type Logger } from '@parley/kit/log/logger';
import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { type BreakerPolicy } from '../domain/breaker.ts';
import { type ProviderRegistry } from '../providers/registry.ts';
import { type ConnectionRow } from '../store/connections.ts';
import { type HealthRow } from '../store/health.ts';
import { type QueueLimits, ConcurrencyLimiter } from './concurrency-limiter.ts';
import { Connection, type AnyConnection } from './connection.ts';

/** Dependencies of `applyConnectionRow`. */
export interface ConnectionRowDeps {
  providers: ProviderRegistry;
  secrets: SecretBox;
  policy: BreakerPolicy;
  /** Maximum concurrent turns of a connection without its own `max_concurrency`. */
  concurrency: number;
  queue: QueueLimits;
  log: Logger;
}

/**
 * Applies a database row that was read at `readAt` (local monotonic clock) to its known connection, or creates the connection. Undefined
 * for a provider that this release does not have.
 */
export function applyConnectionRow(
  deps: ConnectionRowDeps,
  known: AnyConnection | undefined,
  row: ConnectionRow & HealthRow,
  readAt: number,
): AnyConnection | undefined {
  if (!known && !deps.providers.has(row.provider)) {
    deps.log.debug({ connectionId: row.id, provider: row.provider }, 'this release has no adapter for a connection');
    return undefined;
  }
  const secret = known && isSame(known.row.secret, row.secret) ? known.secret : decrypt(deps, row);
  const limit = row.maxConcurrency ?? deps.concurrency;
  const crowded = () => deps.log.warn({ connectionId: row.id, limit }, 'turns wait for room on a connection');
  const connection =
    known ?? new Connection(row, secret, deps.providers.get(row.provider), deps.policy, new ConcurrencyLimiter(limit, deps.queue, crowded));
  connection.applyRow(row, secret, readAt);
  connection.limiter.resize(limit);
  return connection;
}

function isSame(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === other || (one !== null && other !== null && Buffer.compare(one, other) === 0);
}

function decrypt({ secrets, log }: ConnectionRowDeps, { id, secret }: ConnectionRow): string {
  if (!secret) return '';
  try {
    return secrets.open(id, secret);
  } catch (err) {
    // One unreadable secret must not affect the other connections: this one gets the status `configured`.
    log.error({ connectionId: id, err }, 'the secret of a connection cannot be decrypted');
    return '';
  }
}
