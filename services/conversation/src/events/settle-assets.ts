import type { Bus, RunningConsumer } from '@parley/kit/bus/bus';
import { isUuid } from '@parley/kit/ids/uuid';
import type { Logger } from '@parley/kit/log/logger';
import { type AssetChanged, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM } from '@parley/protos/subjects';
import { type SettledAsset, settleAssets } from '../store/message-assets.ts';
import type { Store } from '../store/store.ts';

/** An asset that failed is no reason to wait; when it is tried again, its message stays completed. */
const SETTLED = ['ready', 'failed'];

/** Completes messages as what was made in them becomes ready or fails (spec §3.2), until it is stopped. */
export function consumeAssets(bus: Bus, { database }: Store, log: Logger): RunningConsumer {
  return bus.consume({
    stream: EVENT_STREAM,
    durable: 'conversation-assets',
    filterSubject: EVENT_FILTERS.assets,
    // Each takes a connection from the pool of what is asked rarely.
    maxInFlight: 2,
    handler: async (bytes) => {
      const assets = settledIn(bytes, log);
      if (assets.length > 0) await settleAssets(database.cold, assets);
    },
  });
}

/** What can never be read is logged and passed over: delivering it again would only bring it back, for ever. */
function settledIn(bytes: Uint8Array, log: Logger): SettledAsset[] {
  try {
    const { events } = EventBatch.decode(bytes);
    return events.flatMap(({ payload }) => (payload?.$case === 'assetChanged' && isSettled(payload.value) ? [payload.value] : []));
  } catch (err) {
    log.error({ err, size: bytes.length }, 'asset message dropped: not a batch of events');
    return [];
  }
}

/** Attachments and files of projects belong to no message. */
function isSettled({ status, assetId, messageId, conversationId }: AssetChanged): boolean {
  return SETTLED.includes(status) && [assetId, messageId, conversationId].every(isUuid);
}
