import { DiscardPolicy, type NatsConnection, RetentionPolicy, StorageType, nanos } from 'nats';

/** A JetStream stream as a service declares it. */
export interface StreamDeclaration {
  /** Upper-case by custom; no dots, spaces or wildcards. */
  name: string;
  /** What it captures; wildcards are allowed. No two streams may overlap. */
  subjects: readonly string[];
  /** How long messages are kept, in milliseconds. @default 7 days */
  maxAgeMs?: number;
  /** What it may hold in bytes; the oldest go first. @default 1 GiB */
  maxBytes?: number;
  /** How long a `msgId` is remembered, in milliseconds. @default 2 minutes */
  dedupeMs?: number;
  /** Copies in a cluster. @default 1 */
  replicas?: number;
}

const DAY_MS = 86_400_000;
const IN_USE = 10_058;

/** Creates the stream or brings it in line with its declaration; doing it again changes nothing. */
export async function ensureStream(nc: NatsConnection, declaration: StreamDeclaration): Promise<void> {
  const { name, subjects, maxAgeMs = 7 * DAY_MS, maxBytes = 1_024 ** 3, dedupeMs = 120_000, replicas = 1 } = declaration;
  const config = {
    name,
    subjects: [...subjects],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(maxAgeMs),
    max_bytes: maxBytes,
    duplicate_window: nanos(dedupeMs),
    num_replicas: replicas,
  };
  const manager = await nc.jetstreamManager({ checkAPI: false });
  try {
    await manager.streams.add(config);
  } catch (error) {
    if (apiCode(error) !== IN_USE) throw error;
    // During a rolling update an older replica must not take away what a newer one has added.
    const { config: current } = await manager.streams.info(name);
    await manager.streams.update(name, { ...config, subjects: [...new Set([...current.subjects, ...subjects])] });
  }
}

/** The server's own number for what it refused; undefined for anything else. */
function apiCode(error: unknown): number | undefined {
  const api = (error as { api_error?: { err_code?: unknown } } | undefined)?.api_error;
  return typeof api?.err_code === 'number' ? api.err_code : undefined;
}
