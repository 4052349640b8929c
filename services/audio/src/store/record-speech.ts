import { transaction } from '@parley/kit/db/pool';
import { type EndedSpeech, toSpeechEndedEvent } from '../domain/speech.ts';
import { insertOutboxEvents } from './outbox.ts';
import { refundCharacters } from './quota.ts';
import { type Store } from './store.ts';

/**
 * Stores the event of finished synchronous speech, and refunds its characters when `costsNothing`, in one transaction.
 * @throws SERVICE_UNAVAILABLE
 */
export async function recordSpeech({ database, notifyChanged }: Store, ended: EndedSpeech, costsNothing: boolean): Promise<void> {
  await transaction(database.pool, async (client) => {
    if (costsNothing) await refundCharacters(client, ended);
    await insertOutboxEvents(client, [toSpeechEndedEvent(ended)]);
  });
  notifyChanged([]);
}
