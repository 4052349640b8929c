import { type Event, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_STREAM } from '@parley/protos/subjects';
import { type Gateway } from './parley.ts';
import { withBroker } from './send-again.ts';

/** Every event of a subject that the broker keeps, oldest first; one that was published twice is there twice. */
function eventsOf({ run }: Gateway, wanted: string): Promise<Event[]> {
  return withBroker(run.nats_url, async (manager) => {
    const { state } = await manager.streams.info(EVENT_STREAM);
    const events: Event[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const { subject, data } = await manager.streams.getMessage(EVENT_STREAM, { seq });
      if (subject === wanted) events.push(...EventBatch.decode(data).events);
    }
    return events;
  });
}

/** The speech jobs that events of a subject tell of, in order. */
export async function jobsToldOf(gateway: Gateway, wanted: string): Promise<string[]> {
  const events = await eventsOf(gateway, wanted);
  return events.flatMap(({ payload }) => (payload?.$case === 'speechJobChanged' ? [payload.value.jobId] : []));
}
