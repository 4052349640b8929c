import { filterVisibleCounts, canSeeChange, type EventSubscriber } from '../../../identity/event-subscriber.ts';
import { type FeedEntry } from '../../../watch/change-feed.ts';
import { type FinishedWork } from '../../../watch/feed-decoders.ts';

/** The event that tells a page to read everything again, because it may have missed events. */
export const RESYNC_FRAME = 'event: resync\ndata: {}\n\n';
/** The last event of a stream, when the session has ended. */
export const SESSION_ENDED_FRAME = 'event: session_ended\ndata: {}\n\n';

/** Returns a feed entry as server-sent events that the subscriber may see; empty when there are none. */
export function toFrames({ id, item }: FeedEntry, viewer: EventSubscriber): string {
  const events =
    item.type === 'change' ? changeEvents(item.change, viewer) : countedEvents(filterVisibleCounts(viewer, item.counted), viewer);
  return events.map(([event, data]) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
}

type Named = [event: string, data: Record<string, unknown>];

function changeEvents(change: Parameters<typeof canSeeChange>[1], viewer: EventSubscriber): Named[] {
  return canSeeChange(viewer, change) ? [[`${change.kind}.changed`, { workspace_id: change.workspaceId, ...change.data }]] : [];
}

/** Returns the sums per workspace, and the subscriber's conversations in which a turn has ended. */
function countedEvents(counted: readonly FinishedWork[], { keyIds }: EventSubscriber): Named[] {
  const sums = new Map<string, { requests: number; tokens_in: number; tokens_out: number }>();
  for (const { workspaceId, requests, tokensIn, tokensOut } of counted) {
    const sum = sums.get(workspaceId) ?? { requests: 0, tokens_in: 0, tokens_out: 0 };
    sums.set(workspaceId, {
      requests: sum.requests + requests,
      tokens_in: sum.tokens_in + tokensIn,
      tokens_out: sum.tokens_out + tokensOut,
    });
  }
  const turns = counted.flatMap(({ workspaceId, keyId, conversationId }): Named[] =>
    conversationId !== undefined && keyIds.has(keyId)
      ? [['conversation.answered', { workspace_id: workspaceId, conversation_id: conversationId }]]
      : [],
  );
  return [...[...sums].map(([workspaceId, sum]): Named => ['usage.changed', { workspace_id: workspaceId, ...sum }]), ...turns];
}
