import { type Disposables } from '@parley/kit/lifecycle/disposables';
import { type Logger } from '@parley/kit/log/logger';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { type SharedCounterStore } from './shared-rate-window.ts';

const CONNECT_MS = 2_000;
const MAX_PAUSE_MS = 1_000;

/**
 * Connects to Redis and returns the shared counters, which use its clock; `commandTimeout` is in milliseconds. The client reconnects by
 * itself, and rejects commands at once while it is not connected.
 */
export async function openRedisCounters(url: URL, commandTimeout: number, log: Logger, parts: Disposables): Promise<SharedCounterStore> {
  // The client is loaded only when a Redis is configured.
  const { Redis } = await import('ioredis');
  const client = new Redis(url.href, {
    lazyConnect: true,
    connectionName: 'parley-edge',
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS,
    commandTimeout,
    retryStrategy: (attempt) => Math.min(attempt * 100, MAX_PAUSE_MS),
  });
  parts.defer(() => client.disconnect());
  // Requests notice failures themselves; an error event without a listener would end the process.
  client.on('error', () => undefined);
  // Logs only the message: the error of an AUTH command contains the password.
  await client
    .connect()
    .catch((error: Error) => log.warn({ reason: error.message }, 'the store of throttle counters is not available yet'));
  return {
    limiter: (name, { points, seconds }) =>
      new RateLimiterRedis({ storeClient: client, keyPrefix: `parley:throttle:${name}`, points, duration: seconds }),
    check: async () => void (await client.ping()),
  };
}
