import { AckPolicy, type Consumer, DeliverPolicy, type NatsConnection, nanos } from 'nats';

/** The metadata of a message that a handler receives with its bytes. */
interface Delivery {
  subject: string;
  /** True when an earlier delivery failed or was not acknowledged in time. */
  redelivered: boolean;
  /** The `traceparent` of the span that handles the message, for the handler's calls; empty without a span. */
  traceparent: string;
}

/** Options of a durable pull consumer; the replicas with the same `durable` share its messages. */
export interface ConsumeOptions {
  stream: string;
  /** Name of the consumer on the server, which stores its position across restarts of all processes. */
  durable: string;
  /** Subject filter, wildcards allowed; nats-server 2.9 supports only one. */
  filterSubject: string;
  /**
   * Must be idempotent. When it resolves, the message is acknowledged; when it throws, the message is delivered again after a delay that
   * doubles each time.
   */
  handler: (bytes: Uint8Array, delivery: Delivery) => Promise<void> | void;
  /** Messages that this process handles concurrently. @default 16 */
  maxInFlight?: number;
  /**
   * How long the server waits for an acknowledgement before it delivers the message again, in milliseconds; must exceed the longest run of
   * the handler.
   * @default 30000
   */
  ackWaitMs?: number;
  /** Delay before the second delivery, in milliseconds; doubles each time, up to a minute. @default 500 */
  retryMs?: number;
}

/** Maximum number of unacknowledged messages of all replicas together; `maxInFlight` limits one process. */
const MAX_ACK_PENDING = 1_000;

/** Creates the consumer, or updates it to its declaration. @throws when its stream does not exist */
export async function declareConsumer(nc: NatsConnection, options: Required<ConsumeOptions>): Promise<Consumer> {
  const { stream, durable, filterSubject, ackWaitMs } = options;
  const manager = await nc.jetstreamManager({ checkAPI: false });
  await manager.consumers.add(stream, {
    durable_name: durable,
    filter_subject: filterSubject,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: MAX_ACK_PENDING,
    max_deliver: -1,
  });
  return nc.jetstream().consumers.get(stream, durable);
}
