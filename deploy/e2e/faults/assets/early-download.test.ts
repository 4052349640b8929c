import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { completed, download, getAsset, getMessage, lifecycleOf, madeIn, settled } from '../../harness/assets.ts';
import { ask, stream } from '../../harness/chat.ts';
import { readStream } from '../../harness/event-stream.ts';
import { expectRefusal } from '../../harness/expectations.ts';
import { call } from '../../harness/http.ts';
import { Sandbox } from '../../harness/sandbox.ts';
import { makeTenant } from '../../harness/tenant.ts';
import { inBothTopologies } from '../../harness/topologies.ts';
import { type Uploader } from '../../harness/upload.ts';

/** Longer than any test: until a test says so, nothing is done upstream. */
const HELD_MS = 600_000;
const completion = z.looseObject({
  message_id: z.uuid(),
  assets: z.array(z.looseObject({ id: z.uuid(), status: z.string(), download_url: z.string().optional() })),
});

describe('an asset that the upstream is not done with', () => {
  inBothTopologies(
    (gateway) => {
      const sandbox = new Sandbox(gateway);
      let me: Uploader;
      beforeEach(async () => {
        me = { gateway: gateway(), key: (await makeTenant(gateway)).apiKey };
        await sandbox.setArtifactDelay(HELD_MS);
      });
      afterEach(() => sandbox.setArtifactDelay(0));
      /** Waits until the asset of a message is registered: on a busy machine its answer may have ended before. */
      const downloading = (message: string) =>
        waitFor(async () => [await getMessage(me, message)].find(({ assets }) => assets[0]?.status === 'downloading'));
      const draw = async () => {
        const answer = await readStream(await stream(gateway(), { key: me.key, say: 'draw a red circle' }));
        await downloading(madeIn(answer).message);
        return answer;
      };

      it('leaves a stream that ends without response.completed, and is found by asking', async () => {
        const answer = await draw();
        const types = lifecycleOf(answer).map(({ type }) => type);
        expect(types.filter((type) => type !== 'asset.processing')).toEqual(['asset.discovered', 'response.partially_completed']);
        expect(answer.data.at(-1)).toBe('[DONE]');
        expect(answer.chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['stop']);
        const { message, asset } = madeIn(answer);
        expect(await getMessage(me, message)).toMatchObject({
          status: 'processing_assets',
          pending_operations: 1,
          content: expect.stringContaining('[image: red-circle.png]'),
          assets: [{ id: asset, status: 'downloading' }],
        });
        expect(await getAsset(me, asset)).not.toHaveProperty('download_url');
        await sandbox.setArtifactDelay(0);
        expect(await settled(me, asset)).toMatchObject({ status: 'ready', retry_count: 0, download_url: `/v1/assets/${asset}/download` });
        expect(await completed(me, message)).toMatchObject({ pending_operations: 0, assets: [{ id: asset, status: 'ready' }] });
        expect((await download(me, asset)).status).toBe(200);
      });

      it('(66) is no download yet, in whatever way it is asked for, nor one to retry', async () => {
        const { asset } = madeIn(await draw());
        for (const headers of [{ accept: '*/*' }, { range: 'bytes=0-3' }, { 'if-none-match': '*' }] as Record<string, string>[]) {
          const early = await call(gateway(), 'GET', `/v1/assets/${asset}/download`, { key: me.key, headers });
          expectRefusal(early, { status: 409, code: 'ASSET_NOT_READY' });
          expect(early.json).toMatchObject({ error: { retryable: true } });
        }
        expect((await call(gateway(), 'HEAD', `/v1/assets/${asset}/download`, { key: me.key })).status).toBe(409);
        expect((await call(gateway(), 'POST', `/v1/assets/${asset}/retry`, { key: me.key })).status).toBe(409);
        await sandbox.setArtifactDelay(0);
        expect(await settled(me, asset)).toMatchObject({ status: 'ready', retry_count: 0 });
      });

      it('is listed by a whole answer as it stands when the wait is over', async () => {
        const answer = await ask(gateway(), { key: me.key, say: 'draw a blue square' });
        expect(answer.status).toBe(200);
        const { assets, message_id: message } = completion.parse(answer.json);
        expect(assets).toEqual([expect.objectContaining({ status: expect.stringMatching(/^(discovered|downloading)$/) })]);
        expect(assets[0]).not.toHaveProperty('download_url');
        expect(await downloading(message)).toMatchObject({ status: 'processing_assets', pending_operations: 1 });
      });

      it('is counted alone where others of its message are done', async () => {
        const { message } = madeIn(await draw());
        await sandbox.setArtifactDelay(0);
        await completed(me, message);
        await sandbox.setArtifactDelay(HELD_MS);
        const other = madeIn(await draw());
        expect(await getMessage(me, message)).toMatchObject({ status: 'completed', pending_operations: 0 });
        expect(await getMessage(me, other.message)).toMatchObject({ status: 'processing_assets', pending_operations: 1 });
      });
    },
    { env: { PARLEY_ASSET_WAIT: '1s' } },
  );
});
