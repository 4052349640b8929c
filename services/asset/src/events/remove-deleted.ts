import type { BlobStore } from '@parley/kit/blob/blob-store';
import type { Bus, Consuming } from '@parley/kit/bus/bus';
import { isUuid } from '@parley/kit/ids/uuid';
import type { Logger } from '@parley/kit/log/logger';
import type { Event } from '@parley/protos/events/v1/events';
import { EVENT_STREAM, EVENTS } from '@parley/protos/subjects';
import { forgetBlobs } from '../bytes/forget-blobs.ts';
import type { Database } from '../store/database.ts';
import { removeOfParent } from '../store/remove-assets.ts';
import { readBatch } from './read-batch.ts';

/** One consumer for each subject: a durable's filter cannot be widened without losing its place in the stream. */
const SOURCES = [
  { kind: 'conversation', durable: 'asset-conversations', filterSubject: EVENTS.conversationDeleted },
  { kind: 'project', durable: 'asset-projects', filterSubject: EVENTS.projectDeleted },
] as const;

/** Removes the assets and bytes of conversations and projects that are deleted. */
export function consumeDeletions(bus: Bus, database: Database, blobs: BlobStore, log: Logger): Consuming {
  const consumers = SOURCES.map(({ kind, durable, filterSubject }) =>
    bus.consume({
      stream: EVENT_STREAM,
      durable,
      filterSubject,
      handler: async (bytes) => {
        for (const event of readBatch(bytes, log)) {
          const id = deletedIn(event);
          if (isUuid(id)) await forgetBlobs(blobs, await removeOfParent(database, kind, id.toLowerCase()), log);
        }
      },
    }),
  );
  return { stop: async () => void (await Promise.all(consumers.map((consumer) => consumer.stop()))) };
}

function deletedIn({ payload }: Event): string {
  switch (payload?.$case) {
    case 'conversationChanged':
      return payload.value.conversationId;
    case 'projectChanged':
      return payload.value.projectId;
    default:
      return '';
  }
}
