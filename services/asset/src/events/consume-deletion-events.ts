import { type BlobStore } from '@parley/kit/blob/blob-store';
import { deleteBlobs } from '@parley/kit/blob/delete-blobs';
import { type Bus, type RunningConsumer } from '@parley/kit/bus/bus';
import { isUuid } from '@parley/kit/ids/uuid';
import { type Logger } from '@parley/kit/log/logger';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { type Event } from '@parley/protos/events/v1/events';
import { type ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { EVENT_STREAM, EVENT_SUBJECTS } from '@parley/protos/subjects';
import { type Database } from '../store/database.ts';
import { type ParentKind, markParentRemoved, removeAssetsOfParent } from '../store/remove-assets.ts';
import { decodeEventBatch } from './decode-event-batch.ts';

/** One consumer for each subject: the filter of a durable consumer cannot be changed without losing its position in the stream. */
const SOURCES = [
  { kind: 'conversation', durable: 'asset-conversations', filterSubject: EVENT_SUBJECTS.conversationDeleted },
  { kind: 'project', durable: 'asset-projects', filterSubject: EVENT_SUBJECTS.projectDeleted },
] as const;

/** Longer than chat-routing waits for an upstream to delete a file, in milliseconds. */
const DISCARD_MS = 12_000;

/** Dependencies of the removal. */
export interface RemovalDeps {
  database: Database;
  blobs: BlobStore;
  routing: Stub<typeof ChatRoutingServiceService>;
  log: Logger;
}

/** Removes the assets and bytes of deleted conversations and projects, and their files at chat-routing and upstreams. */
export function consumeDeletionEvents(bus: Bus, deps: RemovalDeps): RunningConsumer {
  const consumers = SOURCES.map(({ kind, durable, filterSubject }) =>
    bus.consume({
      stream: EVENT_STREAM,
      durable,
      filterSubject,
      handler: async (bytes, { traceparent }) => {
        for (const event of decodeEventBatch(bytes, deps.log)) {
          const id = deletedIn(event);
          if (isUuid(id)) await remove(deps, kind, id.toLowerCase(), traceparent);
        }
      },
    }),
  );
  return { stop: async () => void (await Promise.all(consumers.map((consumer) => consumer.stop()))) };
}

/** Deletes the rows last: only they hold the file ids, and an interrupted removal is delivered again. */
async function remove({ database, blobs, routing, log }: RemovalDeps, kind: ParentKind, id: string, traceparent: string): Promise<void> {
  for (const { fileId, workspaceId } of await markParentRemoved(database, kind, id))
    await routing.discardFile({ fileId }, { caller: { ...SYSTEM_CALLER, workspaceId }, traceparent, deadlineMs: DISCARD_MS });
  await deleteBlobs(blobs, await removeAssetsOfParent(database, kind, id), log);
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
