import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { download, listAssets } from '../harness/assets.ts';
import { ask, said } from '../harness/chat.ts';
import { makeDataDir, removeDataDir } from '../harness/data-dir.ts';
import { endedTurns } from '../harness/database.ts';
import { buildVersion, type EarlierVersion, findEarlierCommit } from '../harness/earlier-version.ts';
import { type OwnInfra, startOwnInfra } from '../harness/own-infra.ts';
import { type Parley, randomKey, startParley } from '../harness/parley.ts';
import { makeTenant } from '../harness/tenant.ts';
import { usageOf } from '../harness/usage.ts';

const BUILD_MS = 900_000;

describe('the version before this one', () => {
  let infra: OwnInfra;
  let files: string;
  let earlier: EarlierVersion | undefined;
  let old: Parley;
  let fresh: Parley;
  beforeAll(async () => {
    const commit = findEarlierCommit();
    // A checkout without a history has no earlier version: this one runs beside itself.
    const built = commit === undefined ? undefined : buildVersion(commit);
    [earlier, infra, files] = await Promise.all([built, startOwnInfra(), makeDataDir()]);
    const env = {
      ...infra.env,
      PARLEY_SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      PARLEY_OPERATOR_KEY: 'an operator key of two versions',
      PARLEY_API_KEY: randomKey(),
      PARLEY_BLOB_STORE: join(files, 'blobs'),
    };
    old = await startParley({ env, ...(earlier && { startScript: earlier.startScript }) });
    fresh = await startParley({ env });
  }, BUILD_MS);
  afterAll(async () => {
    await fresh?.dispose();
    await old?.dispose();
    await infra?.dispose();
    await earlier?.dispose();
    if (files) await removeDataDir(files);
  });

  it('works on the schema of this one beside it, and goes on after a rollback', async () => {
    const { apiKey: key } = await makeTenant(() => old);
    const { conversation } = said(await ask(old, { key, say: 'remember the blue door' }));
    let turns = 1;
    for (const gateway of [fresh, old, fresh]) {
      said(await ask(gateway, { key, conversation, say: 'hello' }));
      const { conversation: other } = said(await ask(gateway, { key, say: 'remember the red door' }));
      for (const next of [old, fresh]) {
        const { text } = said(await ask(next, { key, conversation: other, say: 'what did I ask you to remember?' }));
        expect(text).toBe('You asked me to remember: the red door.');
      }
      turns += 4;
    }
    said(await ask(fresh, { key, conversation, say: 'draw a red circle' }));
    turns++;

    await fresh.stop();
    const { text } = said(await ask(old, { key, conversation, say: 'what did I ask you to remember?' }));
    expect(text).toBe('You asked me to remember: the blue door.');
    turns++;
    expect(await endedTurns(old, conversation)).toHaveLength(6);
    const [drawn] = await listAssets({ gateway: old, key }, conversation);
    expect((await download({ gateway: old, key }, drawn?.id ?? '')).bytes.length).toBeGreaterThan(0);
    await waitFor(async () => (await usageOf(old, key)).successful >= turns);
    expect(await usageOf(old, key)).toMatchObject({ successful: turns, total_requests: turns, errors: 0 });
  });
});
