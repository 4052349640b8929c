import { expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { download, getAsset, listAssets } from '../harness/assets.ts';
import { ask, said } from '../harness/chat.ts';
import { parleyCommand } from '../harness/cli.ts';
import { makeDataDir } from '../harness/data-dir.ts';
import { query } from '../harness/database.ts';
import { type Gateway, type Parley, START_MS, startParley, STOP_MS } from '../harness/parley.ts';
import { sharedGateway } from '../harness/shared/shared-gateway.ts';
import { makeTenant, onlyAccount } from '../harness/tenant.ts';

/** Turns go on until `until` has ended. Rejects when one fails. */
async function withTurns<T>(gateway: Gateway, key: string, until: Promise<T>): Promise<T> {
  let isOver = false;
  const over = until.finally(() => (isOver = true));
  const turns = async () => {
    while (!isOver) said(await ask(gateway, { key, say: 'say hello' }));
  };
  const [result] = await Promise.all([over, turns(), turns()]);
  return result;
}

it(
  'a backup that is made while turns run goes on in a new data folder: conversations, files, keys and connections',
  async () => {
    const gateway = await sharedGateway('single');
    const tenant = await makeTenant(() => gateway);
    const { apiKey: key, workspaceId } = tenant;
    const { label } = onlyAccount(tenant);
    const { conversation } = said(await ask(gateway, { key, say: 'remember the blue door' }));
    said(await ask(gateway, { key, conversation, say: 'draw a red circle' }));
    const [drawn] = await listAssets({ gateway, key }, conversation);
    const folder = await mkdtemp(join(tmpdir(), 'parley-backup-'));
    const [dataDir, other] = [await makeDataDir({ database: false }), await makeDataDir({ database: false })];
    let restored: Parley | undefined;
    try {
      await withTurns(gateway, key, parleyCommand(gateway, 'backup', folder));
      await expect(parleyCommand(gateway, 'backup', folder)).rejects.toThrow('is not empty');
      await expect(parleyCommand(gateway, 'restore', folder)).rejects.toThrow('is in use');
      const secretKeys = join(gateway.dataDir, 'secrets', 'secret-keys');
      await parleyCommand({ ...gateway, dataDir }, 'restore', folder, '--secret-keys', secretKeys);
      await expect(parleyCommand({ ...gateway, dataDir }, 'restore', folder)).rejects.toThrow('has a database already');

      const env = { PARLEY_OPERATOR_KEY: gateway.operatorKey, PARLEY_PARTITIONS: 'monthly' };
      const parley = (restored = await startParley({ dataDir, env }));
      const answer = await ask(parley, { key, conversation, say: 'what did I ask you to remember?' });
      expect(said(answer).text).toBe('You asked me to remember: the blue door.');
      const asset = drawn?.id ?? '';
      expect(await getAsset({ gateway: parley, key }, asset)).toEqual(await getAsset({ gateway, key }, asset));
      const bytes = async (from: Gateway) => (await download({ gateway: from, key }, asset)).bytes;
      expect((await bytes(parley)).equals(await bytes(gateway))).toBe(true);
      expect(await parleyCommand(parley, 'connections', 'test', label, '--workspace', workspaceId)).toContain(`${label} works.`);

      // Its tables are partitioned by month now; in a backup they are whole.
      await waitFor(
        async () => (await query(parley, "SELECT FROM pg_class WHERE relname = 'usage_record' AND relkind = 'p'")).length === 1,
      );
      await waitFor(async () => (await query(parley, "SELECT FROM pg_class WHERE relname = 'messages' AND relkind = 'p'")).length === 1);
      await parleyCommand(parley, 'backup', join(folder, 'of-months'));
      await parleyCommand({ ...parley, dataDir: other }, 'restore', join(folder, 'of-months'), '--secret-keys', secretKeys);
    } finally {
      await restored?.dispose();
      await rm(folder, { recursive: true });
      for (const made of [dataDir, other]) await rm(made, { recursive: true, force: true });
    }
  },
  2 * START_MS + STOP_MS,
);
