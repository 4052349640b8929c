import { uuidv7 } from '@parley/kit/ids/uuid';
import { DEFAULT_USER_ID, DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { GatewayError } from '@parley/protos/errors';
import { setTimeout as delay } from 'node:timers/promises';
import { keyDigest, displayPrefix } from '../config/key-format.ts';
import { SCOPES } from '../config/scopes.ts';
import { runQuery, type Database } from './client.ts';

/** How long a start waits for the database, in milliseconds, as long as for its migrations; requests fail within seconds. */
const START_MS = 30_000;
const RETRY_MS = 250;

/**
 * Creates the default workspace and its user, and the preset key when there is one, unless they exist. Existing rows are not changed: a
 * preset key that was revoked stays revoked. Safe when many edges start at once.
 * @throws SERVICE_UNAVAILABLE when the database does not become available in time
 */
export async function createDefaultWorkspace(db: Database, apiKey: string | undefined): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    try {
      return await makeDefaults(db, apiKey);
    } catch (error) {
      const isAway = error instanceof GatewayError && error.condition === 'SERVICE_UNAVAILABLE';
      if (!isAway || performance.now() > deadline) throw error;
      await delay(RETRY_MS);
    }
  }
}

async function makeDefaults(db: Database, apiKey: string | undefined): Promise<void> {
  const work = [
    db.workspace.createMany({ data: [{ id: DEFAULT_WORKSPACE_ID, name: 'default' }], skipDuplicates: true }),
    db.user.createMany({ data: [{ id: DEFAULT_USER_ID, displayName: 'Default user' }], skipDuplicates: true }),
    db.membership.createMany({
      data: [{ workspaceId: DEFAULT_WORKSPACE_ID, userId: DEFAULT_USER_ID, role: 'owner' }],
      skipDuplicates: true,
    }),
  ];
  if (apiKey !== undefined) work.push(db.apiKey.createMany({ data: [presetKey(apiKey)], skipDuplicates: true }));
  await runQuery(db.$transaction(work));
}

function presetKey(apiKey: string) {
  return {
    id: uuidv7(),
    workspaceId: DEFAULT_WORKSPACE_ID,
    userId: DEFAULT_USER_ID,
    name: 'bootstrap',
    prefix: displayPrefix(apiKey),
    hash: Uint8Array.from(Buffer.from(keyDigest(apiKey), 'base64')),
    scopes: [...SCOPES],
  };
}
