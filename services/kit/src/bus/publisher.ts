import { headers, type JetStreamPublishOptions } from 'nats';
import { type BusConnection } from './bus-connection.ts';
import { BusUnavailableError } from './bus-unavailable-error.ts';

/** Options of one published message. */
export interface PublishOptions {
  /** Deduplication id: the stream drops a second message with the same id within its dedupe window. */
  msgId?: string;
  /** The trace of the whole message, as its header `traceparent`. */
  traceparent?: string;
  /** How long to wait for the stream's acknowledgement, in milliseconds. @default 5000 */
  timeoutMs?: number;
}

/** No stream captures the subject: it was deleted, or JetStream is still starting. */
const NO_RESPONDERS = '503';
const PASSING = new Set([NO_RESPONDERS, 'TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_DRAINING', 'CONNECTION_REFUSED', 'DISCONNECT']);

/** Publishes to streams; pending publishes fail as soon as the connection is lost. */
export class Publisher {
  readonly #connection: BusConnection;
  readonly #onStreamMissing: () => void;
  readonly #waiting = new Set<(error: BusUnavailableError) => void>();

  constructor(connection: BusConnection, onStreamMissing: () => void) {
    this.#connection = connection;
    this.#onStreamMissing = onStreamMissing;
    connection.onDown(() => {
      for (const reject of this.#waiting) reject(new BusUnavailableError('the connection to the message broker was lost'));
    });
  }

  /** Resolves when the stream has stored the message. @throws BusUnavailableError */
  async publish(subject: string, bytes: Uint8Array, options: PublishOptions): Promise<void> {
    const nc = this.#connection.connection;
    if (!nc) throw new BusUnavailableError('the message broker is not available');
    let lose: (error: BusUnavailableError) => void = () => undefined;
    const lost = new Promise<never>((_, reject) => (lose = reject));
    this.#waiting.add(lose);
    try {
      const acknowledged = nc.jetstream().publish(subject, bytes, toJetStreamOptions(options));
      await Promise.race([acknowledged, lost]);
    } catch (error) {
      throw this.#explain(error);
    } finally {
      this.#waiting.delete(lose);
    }
  }

  #explain(error: unknown): unknown {
    if (error instanceof BusUnavailableError) return error;
    const { code, api_error: api } = error as { code?: string; api_error?: { code?: number } };
    if (code === NO_RESPONDERS) this.#onStreamMissing();
    const passing = PASSING.has(code ?? '') || (api?.code ?? 0) >= 500;
    return passing ? new BusUnavailableError('the message broker did not take the message', { cause: error }) : error;
  }
}

function toJetStreamOptions({ msgId, traceparent, timeoutMs = 5_000 }: PublishOptions): Partial<JetStreamPublishOptions> {
  const options: Partial<JetStreamPublishOptions> = { timeout: timeoutMs, ...(msgId !== undefined && { msgID: msgId }) };
  if (traceparent) {
    options.headers = headers();
    options.headers.set('traceparent', traceparent);
  }
  return options;
}
