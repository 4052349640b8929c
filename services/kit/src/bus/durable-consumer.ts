import { AckPolicy, type Consumer, DeliverPolicy, type NatsConnection, nanos } from 'nats';

/** What a handler gets of a message besides its bytes. */
interface Delivery {
  subject: string;
  /** True when an earlier delivery failed or was not acknowledged in time. */
  redelivered: boolean;
  /** Of the span that handles the message, for what the handler calls; empty without one. */
  traceparent: string;
}

/** A durable pull consumer: every replica with the same `durable` takes its share. */
export interface ConsumeOptions {
  stream: string;
  /** Names the consumer on the server, where its position outlives every process. */
  durable: string;
  /** One filter; nats-server 2.9 supports only one. */
  filterSubject: string;
  /** Must be idempotent. Resolving acknowledges; throwing gets the message again, later each time. */
  handler: (bytes: Uint8Array, delivery: Delivery) => Promise<void> | void;
  /** Messages handled at once by this process. @default 16 */
  maxInFlight?: number;
  /** How long the server waits for an acknowledgement before it delivers the message again, in milliseconds; longer than the handler's longest run. @default 30000 */
  ackWaitMs?: number;
  /** Wait before the second delivery, in milliseconds; doubles up to a minute. @default 500 */
  retryMs?: number;
}

/** Of all replicas together; what one process handles at once is `maxInFlight`. */
const MAX_ACK_PENDING = 1_000;

/** Creates the consumer or brings it in line with its declaration. @throws when its stream does not exist */
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
