import { type Bus, type RunningConsumer } from '@parley/kit/bus/bus';
import { isUuid } from '@parley/kit/ids/uuid';
import { type Logger } from '@parley/kit/log/logger';
import { type AssetChanged, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM } from '@parley/protos/subjects';
import { type SettledAsset, settleAssets } from '../store/message-assets.ts';
import { type Store } from '../store/store.ts';

/** A message does not wait for a failed asset; when the asset is retried, the message stays completed. */
const SETTLED = ['ready', 'failed'];

/** Consumes asset events until it is stopped: completes messages whose assets are ready or have failed. */
export function consumeAssetEvents(bus: Bus, { database }: Store, log: Logger): RunningConsumer {
  return bus.consume({
    stream: EVENT_STREAM,
    durable: 'conversation-assets',
    filterSubject: EVENT_FILTERS.assets,
    // Each takes a connection of the general pool.
    maxInFlight: 2,
    handler: async (bytes) => {
      const assets = readSettledAssets(bytes, log);
      if (assets.length > 0) await settleAssets(database.generalPool, assets);
    },
  });
}

/** Logs and skips an unreadable message: it would be redelivered forever. */
function readSettledAssets(bytes: Uint8Array, log: Logger): SettledAsset[] {
  try {
    const { events } = EventBatch.decode(bytes);
    return events.flatMap(({ payload }) => (payload?.$case === 'assetChanged' && isSettled(payload.value) ? [payload.value] : []));
  } catch (err) {
    log.error({ err, size: bytes.length }, 'asset message dropped: not a batch of events');
    return [];
  }
}

/** Attachments and project files belong to no message. */
function isSettled({ status, assetId, messageId, conversationId }: AssetChanged): boolean {
  return SETTLED.includes(status) && [assetId, messageId, conversationId].every(isUuid);
}
