import { type Bus, type RunningConsumer } from '@parley/kit/bus/bus';
import { type Logger } from '@parley/kit/log/logger';
import { GatewayError } from '@parley/protos/errors';
import { type Event, type TurnEnded } from '@parley/protos/events/v1/events';
import { EVENT_FILTERS, EVENT_STREAM } from '@parley/protos/subjects';
import { requireUuid, parseArtifacts } from '../domain/artifact.ts';
import { type MessageArtifacts, type AssetLifetimes, registerArtifacts } from '../store/register-artifacts.ts';
import { type Store } from '../store/store.ts';
import { decodeEventBatch } from './decode-event-batch.ts';

/** Registers the artifacts of ended turns, so that none is lost when the edge fails before it has registered them. */
export function consumeTurnEvents(bus: Bus, store: Store, lifetimes: AssetLifetimes, log: Logger): RunningConsumer {
  return bus.consume({
    stream: EVENT_STREAM,
    durable: 'asset-turns',
    filterSubject: EVENT_FILTERS.turns,
    handler: async (bytes) => {
      for (const event of decodeEventBatch(bytes, log)) {
        const { payload } = event;
        if (payload?.$case !== 'turnEnded' || payload.value.artifacts.length === 0) continue;
        const artifacts = toArtifacts(event, payload.value, log);
        if (artifacts) await registerArtifacts(store, artifacts, lifetimes);
      }
    },
  });
}

function toArtifacts({ id: eventId, traceparent = '' }: Event, turn: TurnEnded, log: Logger): MessageArtifacts | undefined {
  try {
    return {
      workspaceId: requireUuid('workspace_id', turn.workspaceId),
      conversationId: requireUuid('conversation_id', turn.conversationId),
      messageId: requireUuid('message_id', turn.messageId),
      artifacts: parseArtifacts(turn.artifacts),
      // The trace identifies the request.
      origin: { requestId: '', traceparent },
    };
  } catch (err) {
    if (!(err instanceof GatewayError)) throw err;
    log.error({ err, eventId, turnId: turn.turnId }, 'artifacts of a turn dropped: not usable');
    return undefined;
  }
}
