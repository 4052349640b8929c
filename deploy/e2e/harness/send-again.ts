import { waitFor } from '@parley/kit/testing/wait-for';
import { EVENT_STREAM } from '@parley/protos/subjects';
import { connect, type JetStreamManager } from 'nats';
import { type Gateway } from './parley.ts';

/** Publishes all events of the stream anew so many times, as others than they were for the broker, and gives how many that made. */
export function sendAgain({ run }: Gateway, times: number, midway: () => Promise<unknown> = () => Promise.resolve()): Promise<number> {
  return withBroker(run.nats_url, async (manager, publish) => {
    const { state } = await manager.streams.info(EVENT_STREAM);
    let sent = 0;
    for (let time = 0; time < times; time++) {
      for (let seq = state.first_seq; seq <= state.last_seq; seq++, sent++) {
        const { subject, data } = await manager.streams.getMessage(EVENT_STREAM, { seq });
        await publish(subject, data);
      }
      if (time === 0) await midway();
    }
    return sent;
  });
}

/** Waits until everybody who consumes events has taken all of them. */
export function allConsumed({ run }: Gateway): Promise<void> {
  return withBroker(run.nats_url, async (manager) => {
    const isDone = async () => {
      const consumers = await manager.consumers.list(EVENT_STREAM).next();
      return consumers.length > 0 && consumers.every(({ num_pending, num_ack_pending }) => num_pending + num_ack_pending === 0);
    };
    await waitFor(isDone, { everyMs: 100 });
  });
}

type Publish = (subject: string, data: Uint8Array) => Promise<unknown>;

/** Asks the broker of a gateway directly. */
export async function withBroker<T>(url: string, work: (manager: JetStreamManager, publish: Publish) => Promise<T>): Promise<T> {
  const { username, password, host } = new URL(url);
  const connection = await connect({ servers: host, user: username, pass: password });
  try {
    const stream = connection.jetstream();
    return await work(await connection.jetstreamManager(), (subject, data) => stream.publish(subject, data));
  } finally {
    await connection.close();
  }
}
