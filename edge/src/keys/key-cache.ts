import { counter } from '@parley/kit/telemetry/meter';
import { type KeyRecord } from '../store/keys.ts';
import { type CacheTimes, type LookupResult, RecordCache } from './record-cache.ts';

const LOOKUPS = counter('parley_key_lookups_total');
const LABELS = { cached: { result: 'cached' }, read: { result: 'read' }, failed: { result: 'failed' } } as const satisfies Record<
  LookupResult,
  object
>;

/** API keys by their digest. `invalidate` accepts the id of a key, a user or a workspace. */
export class KeyCache extends RecordCache<KeyRecord> {
  constructor(find: (digest: string) => Promise<KeyRecord | null>, times: Partial<CacheTimes> = {}) {
    super({
      find,
      times,
      subject: 'API key',
      idsOf: ({ keyId, userId, workspaceId }) => [keyId, userId, workspaceId],
      count: (result) => LOOKUPS.add(LABELS[result]),
    });
  }
}
