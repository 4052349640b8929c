import { DiscardPolicy, type NatsConnection, RetentionPolicy, StorageType, nanos } from 'nats';

/** The declaration of a JetStream stream. */
export interface StreamDeclaration {
  /** Upper case by convention; no dots, spaces or wildcards. */
  name: string;
  /** The subjects that it captures; wildcards are allowed. Subjects of two streams must not overlap. */
  subjects: readonly string[];
  /** How long messages are kept, in milliseconds. @default 7 days */
  maxAgeMs?: number;
  /** Maximum size in bytes; the oldest messages are discarded first. @default 1 GiB */
  maxBytes?: number;
  /** Window in which a second message with the same `msgId` is dropped, in milliseconds. @default 2 minutes */
  dedupeMs?: number;
  /** Number of replicas in a cluster. @default 1 */
  replicas?: number;
}

const DAY_MS = 86_400_000;
const IN_USE = 10_058;

/** Creates the stream, or updates it to its declaration; idempotent. Throws the client's error when the broker rejects the declaration. */
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
    // During a rolling update an older replica must not remove subjects that a newer one has added.
    const { config: current } = await manager.streams.info(name);
    await manager.streams.update(name, { ...config, subjects: [...new Set([...current.subjects, ...subjects])] });
  }
}

/** Returns JetStream's error code (`err_code`) of a rejected request; undefined for any other error. */
function apiCode(error: unknown): number | undefined {
  const api = (error as { api_error?: { err_code?: unknown } } | undefined)?.api_error;
  return typeof api?.err_code === 'number' ? api.err_code : undefined;
}
