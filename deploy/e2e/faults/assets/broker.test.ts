import { afterEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { download, getAsset, getMessage, lifecycleOf, madeIn } from '../../harness/assets.ts';
import { stream } from '../../harness/chat.ts';
import { query } from '../../harness/database.ts';
import { readStream } from '../../harness/event-stream.ts';
import { onOwnInfra } from '../../harness/on-own-infra.ts';
import { Sandbox } from '../../harness/sandbox.ts';
import { makeTenant, onlyAccount } from '../../harness/tenant.ts';
import { attach, type Uploader } from '../../harness/upload.ts';

describe('a broker that is away while assets are made', () => {
  onOwnInfra((gateway, infra) => {
    afterEach(() => new Sandbox(gateway).setArtifactDelay(0));

    it('does not interrupt their ingestion, and the record is updated later', async () => {
      const tenant = await makeTenant(gateway);
      const me: Uploader = { gateway: gateway(), key: tenant.apiKey };
      await infra().broker.stop();
      // Long enough that it is the poll that tells of the end.
      await new Sandbox(gateway).setArtifactDelay(3_000);
      const response = await stream(gateway(), { key: me.key, say: 'draw a red circle' });
      const conversation = response.headers.get('x-service-conversation-id') ?? '';
      const answer = await readStream(response);
      const types = lifecycleOf(answer).map(({ type }) => type);
      expect(types.filter((type) => type.startsWith('asset.'))).toEqual(['asset.discovered', 'asset.processing', 'asset.ready']);
      expect(types.at(-1)).toBe('response.completed');
      const { message, asset } = madeIn(answer);
      expect((await download(me, asset)).status).toBe(200);
      expect(await getMessage(me, message)).toMatchObject({ status: 'completed', pending_operations: 0 });
      const { asset_id: attached } = await attach(me, conversation, { name: 'a.txt', bytes: Buffer.from('a note\n'), type: 'text/plain' });
      expect(await getAsset(me, attached)).toMatchObject({ status: 'ready' });
      const done = async () =>
        (await query<{ done: boolean }>(gateway(), 'SELECT done FROM conversation.message_assets WHERE asset_id = $1', [asset]))[0]?.done;
      expect(await done()).toBe(false);

      await infra().broker.start();
      await waitFor(done, { everyMs: 100 });
      expect(await getMessage(me, message)).toMatchObject({
        status: 'completed',
        assets: [{ id: asset, status: 'ready', retry_count: 0 }],
      });
      expect((await onlyAccount(tenant).report()).artifacts).toMatchObject([{ downloads: 1 }]);
    });
  });
});
