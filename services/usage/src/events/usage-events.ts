import { type Bus, type RunningConsumer } from '@parley/kit/bus/bus';
import { GroupCommit } from '@parley/kit/db/group-commit';
import { type Logger } from '@parley/kit/log/logger';
import { counter } from '@parley/kit/telemetry/meter';
import { EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM, EVENT_STREAM_DECLARATION, EVENT_SUBJECTS } from '@parley/protos/subjects';
import { isMetered, toUsageRecord, type UsageRecord } from '../domain/usage-record.ts';
import { ingestRecords } from '../store/ingest-records.ts';
import { type Store } from '../store/store.ts';

/** Dependencies of the consumers. */
export interface UsageEventsOptions {
  bus: Bus;
  store: Store;
  log: Logger;
  now: () => Date;
  /** Called with the number of records that were counted, after their commit. */
  onCounted: (records: number) => void;
}

const RECORDS = counter('parley_usage_records_total');
const DUPLICATES = counter('parley_usage_duplicates_total');
const TOKENS = counter('parley_usage_tokens_total');
const INPUT = { type: 'input' };
const OUTPUT = { type: 'output' };

/** One consumer for each subject: the filter of a durable consumer cannot be changed without losing its position in the stream. */
const SOURCES = [
  { durable: 'usage-turns', filterSubject: EVENT_FILTERS.turns },
  { durable: 'usage-refusals', filterSubject: EVENT_SUBJECTS.requestRefused },
  { durable: 'usage-speech-jobs', filterSubject: EVENT_FILTERS.speechJobs },
  { durable: 'usage-speeches', filterSubject: EVENT_FILTERS.speeches },
  { durable: 'usage-transcriptions', filterSubject: EVENT_FILTERS.transcriptions },
  { durable: 'usage-action-runs', filterSubject: EVENT_FILTERS.actionRuns },
] as const;

/** Concurrent messages; those that arrive while a statement runs share the next one. A message may contain thousands of events. */
const IN_FLIGHT = 16;

/** Counts turns, speech jobs, synchronous speech, transcriptions, action runs and rejected requests until it is stopped. */
export function consumeUsageEvents({ bus, store, log, now, onCounted }: UsageEventsOptions): RunningConsumer {
  // A message is acknowledged after the commit and may be redelivered; records are keyed by event, so redelivery changes nothing.
  const commits = new GroupCommit<UsageRecord[]>({
    write: async (batches) => {
      const records = batches.flat();
      const { fresh, tokensIn, tokensOut } = await ingestRecords(store, records);
      RECORDS.add({}, fresh);
      DUPLICATES.add({}, records.length - fresh);
      TOKENS.add(INPUT, tokensIn);
      TOKENS.add(OUTPUT, tokensOut);
      onCounted(fresh);
    },
    maxBatch: IN_FLIGHT,
  });
  const handler = async (bytes: Uint8Array) => {
    const records = read(bytes, now(), log);
    if (records.length > 0) await commits.add(records);
  };
  bus.declareStream(EVENT_STREAM_DECLARATION);
  const consumers = SOURCES.map((source) => bus.consume({ stream: EVENT_STREAM, ...source, handler, maxInFlight: IN_FLIGHT }));
  return { stop: async () => void (await Promise.all(consumers.map((consumer) => consumer.stop()))) };
}

/** Logs and skips an unusable event: it would be redelivered forever. */
function read(bytes: Uint8Array, now: Date, log: Logger): UsageRecord[] {
  const records: UsageRecord[] = [];
  for (const event of decode(bytes, log)) {
    if (!isMetered(event)) continue;
    const record = toUsageRecord(event, now);
    if (record) records.push(record);
    else log.error({ eventId: event.id, kind: event.payload?.$case }, 'usage event dropped: not usable');
  }
  return records;
}

function decode(bytes: Uint8Array, log: Logger): EventBatch['events'] {
  try {
    return EventBatch.decode(bytes).events;
  } catch (err) {
    log.error({ err, size: bytes.length }, 'usage message dropped: not a batch of events');
    return [];
  }
}
