import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { download, getAsset, listAssets } from '../harness/assets.ts';
import { ask, said } from '../harness/chat.ts';
import { parleyCommand } from '../harness/cli.ts';
import { makeDataDir } from '../harness/data-dir.ts';
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
    const dataDir = await makeDataDir({ database: false });
    let restored: Parley | undefined;
    try {
      await withTurns(gateway, key, parleyCommand(gateway, 'backup', folder));
      await expect(parleyCommand(gateway, 'backup', folder)).rejects.toThrow('is not empty');
      await expect(parleyCommand(gateway, 'restore', folder)).rejects.toThrow('is in use');
      const secretKeys = join(gateway.dataDir, 'secrets', 'secret-keys');
      await parleyCommand({ ...gateway, dataDir }, 'restore', folder, '--secret-keys', secretKeys);
      await expect(parleyCommand({ ...gateway, dataDir }, 'restore', folder)).rejects.toThrow('has a database already');

      const parley = (restored = await startParley({ dataDir, env: { PARLEY_OPERATOR_KEY: gateway.operatorKey } }));
      const answer = await ask(parley, { key, conversation, say: 'what did I ask you to remember?' });
      expect(said(answer).text).toBe('You asked me to remember: the blue door.');
      const asset = drawn?.id ?? '';
      expect(await getAsset({ gateway: parley, key }, asset)).toEqual(await getAsset({ gateway, key }, asset));
      const bytes = async (from: Gateway) => (await download({ gateway: from, key }, asset)).bytes;
      expect((await bytes(parley)).equals(await bytes(gateway))).toBe(true);
      expect(await parleyCommand(parley, 'connections', 'test', label, '--workspace', workspaceId)).toContain(`${label} works.`);
    } finally {
      await restored?.dispose();
      await rm(folder, { recursive: true });
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  2 * START_MS + STOP_MS,
);
