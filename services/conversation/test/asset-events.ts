import { type Bus } from '@parley/kit/bus/bus';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Artifact } from '@parley/protos/common/v1/artifact';
import { type BeginTurn } from '@parley/protos/conversation/v1/conversation';
import { type AssetChanged, EventBatch } from '@parley/protos/events/v1/events';
import { EVENT_SUBJECTS } from '@parley/protos/subjects';

/** An artifact of an upstream. */
export function newArtifact(over: Partial<Artifact> = {}): Artifact {
  const assetId = uuidv7();
  return {
    ...{ assetId, assetType: 'image', fileName: 'cat.png', mimeType: 'image/png', connectionId: 'account-1', reference: `sa_${assetId}` },
    ...over,
  };
}

const SUBJECTS: Record<string, string> = {
  discovered: EVENT_SUBJECTS.assetDiscovered,
  ready: EVENT_SUBJECTS.assetReady,
  failed: EVENT_SUBJECTS.assetFailed,
};

/** Publishes events of the assets of a turn's answer in one message, like the asset service. */
export async function publishAssetEvents(
  bus: Bus,
  { conversationId, assistantMessageId }: BeginTurn,
  assetIds: readonly string[],
  status = 'ready',
  over: Partial<AssetChanged> = {},
): Promise<void> {
  const events = assetIds.map((assetId) => {
    const value: AssetChanged = {
      ...{ assetId, workspaceId: uuidv7(), conversationId, messageId: assistantMessageId, projectId: '', assetType: 'image' },
      ...{ fileName: 'cat.png', mimeType: 'image/png', sizeBytes: 3, status, retryCount: 0, errorCondition: '', errorMessage: '' },
      ...over,
    };
    return { id: uuidv7(), payload: { $case: 'assetChanged' as const, value } };
  });
  await publishBytes(bus, SUBJECTS[status] ?? '', EventBatch.encode({ events }).finish());
}

/** Publishes a raw message once; waits until the stream is declared. */
export async function publishBytes(bus: Bus, subject: string, bytes: Uint8Array): Promise<void> {
  const msgId = uuidv7();
  await waitFor(async () => {
    await bus.publish(subject, bytes, { msgId });
    return true;
  });
}
