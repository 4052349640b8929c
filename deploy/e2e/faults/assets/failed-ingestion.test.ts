import { beforeEach, describe, expect, it } from '@jest/globals';
import { completed, download, getAsset, getMessage, lifecycleOf, madeIn, settled } from '../../harness/assets.ts';
import { stream } from '../../harness/chat.ts';
import { readStream, type Streamed } from '../../harness/event-stream.ts';
import { expectRefusal } from '../../harness/expectations.ts';
import { call } from '../../harness/http.ts';
import { type FaultOrder } from '../../harness/sandbox.ts';
import { makeTenant, onlyAccount, type Tenant } from '../../harness/tenant.ts';
import { inBothTopologies } from '../../harness/topologies.ts';
import { type Uploader } from '../../harness/upload.ts';

const ALWAYS = { on: 'artifacts', count: -1 };
const FAULTS: [what: string, fault: FaultOrder, code: string][] = [
  ['a page in the place of a picture', { fault: 'artifact_html', ...ALWAYS }, 'UNSUPPORTED_FILE_TYPE'],
  ['more bytes than were announced', { fault: 'artifact_larger', ...ALWAYS }, 'UNSUPPORTED_FILE_TYPE'],
  ['half of the bytes', { fault: 'cut', ...ALWAYS }, 'PROVIDER_UNAVAILABLE'],
  ['nothing any more', { fault: 'artifact_missing', ...ALWAYS }, 'ASSET_NOT_FOUND'],
  ['an error', { fault: 'server_error', ...ALWAYS }, 'PROVIDER_UNAVAILABLE'],
];

describe('an upstream that cannot give what it made', () => {
  inBothTopologies(
    (gateway) => {
      let tenant: Tenant;
      let me: Uploader;
      beforeEach(async () => {
        tenant = await makeTenant(gateway);
        me = { gateway: gateway(), key: tenant.apiKey };
      });
      const made = async (say: string) => readStream(await stream(gateway(), { key: me.key, say }));

      it.each(FAULTS)('%s: is announced, is shown, and succeeds after a retry', async (_what, fault, code) => {
        await onlyAccount(tenant).order(fault);
        const answer = await made('draw a red circle');
        const events = lifecycleOf(answer);
        expect(stepsOf(answer)).toEqual(['asset.discovered', 'asset.processing', 'asset.failed', 'response.completed']);
        expect(events.find(({ type }) => type === 'asset.failed')).toMatchObject({
          error_code: code,
          error_message: expect.stringMatching(/./),
          asset: { status: 'failed', error_code: code },
        });
        expect(answer.data.at(-1)).toBe('[DONE]');
        expect(answer.text).toContain('[image: red-circle.png]');
        const { asset, message } = madeIn(answer);
        await expectFailed(me, message, asset, code);

        await onlyAccount(tenant).clearFaults();
        const retried = await call(gateway(), 'POST', `/v1/assets/${asset}/retry`, { key: me.key });
        expect(retried).toMatchObject({ status: 200, json: { id: asset, status: 'discovered', retry_count: 1 } });
        expect(await settled(me, asset)).toMatchObject({ status: 'ready', retry_count: 1, mime_type: 'image/png' });
        expect(await completed(me, message)).toMatchObject({ pending_operations: 0, assets: [{ status: 'ready', retry_count: 1 }] });
        expect((await download(me, asset)).status).toBe(200);
        expect((await onlyAccount(tenant).report()).artifacts).toMatchObject([{ downloads: 1 }]);
      });

      it('more bytes than an asset may have: failed, whatever is retried', async () => {
        const { asset, message } = madeIn(await made('make a file of 2 MB'));
        await expectFailed(me, message, asset, 'FILE_TOO_LARGE');
        expect(await call(gateway(), 'POST', `/v1/assets/${asset}/retry`, { key: me.key })).toMatchObject({ status: 200 });
        expect(await settled(me, asset)).toMatchObject({ status: 'failed', error_code: 'FILE_TOO_LARGE', retry_count: 1 });
      });

      it.each<FaultOrder>([
        { fault: 'server_error', on: 'artifacts', count: 2 },
        { fault: 'cut', on: 'artifacts', count: 2 },
        { fault: 'bad_gateway_html', on: 'artifacts' },
        { fault: 'artifact_not_ready', count: 2 },
      ])('a fault that passes ($fault) is waited for, and the client sees no error', async (fault) => {
        await onlyAccount(tenant).order(fault);
        const answer = await made('draw a blue square');
        expect(stepsOf(answer)).toEqual(['asset.discovered', 'asset.processing', 'asset.ready', 'response.completed']);
        const { asset, message } = madeIn(answer);
        expect(await getAsset(me, asset)).toMatchObject({ status: 'ready', retry_count: 0 });
        expect(await getMessage(me, message)).toMatchObject({ status: 'completed', pending_operations: 0 });
      });

      it('one of two: the other is ready, and the message is complete', async () => {
        await onlyAccount(tenant).order({ fault: 'artifact_missing' });
        const answer = await made('draw a red circle and make a CSV of the planets');
        expect(
          lifecycleOf(answer)
            .map(({ type }) => type)
            .filter((type) => /^asset\.(ready|failed)$/.test(type))
            .sort(),
        ).toEqual(['asset.failed', 'asset.ready']);
        const shown = await completed(me, madeIn(answer).message);
        expect(shown).toMatchObject({ pending_operations: 0 });
        expect(shown.assets.map(({ status }) => status).sort()).toEqual(['failed', 'ready']);
      });
    },
    { env: { PARLEY_ASSET_MAX_BYTES: '1MB' } },
  );
});

/** The announced events except the end of the text: the state of an asset at that time varies. */
function stepsOf(answer: Streamed): string[] {
  return lifecycleOf(answer)
    .map(({ type }) => type)
    .filter((type) => type !== 'response.partially_completed');
}

async function expectFailed(me: Uploader, message: string, id: string, code: string): Promise<void> {
  const asset = await getAsset(me, id);
  expect(asset).toMatchObject({ status: 'failed', error_code: code, retry_count: 0, size_bytes: 0 });
  expect(asset).not.toHaveProperty('download_url');
  expect(await completed(me, message)).toMatchObject({ pending_operations: 0, assets: [{ id, status: 'failed', error_code: code }] });
  expectRefusal(await call(me.gateway, 'GET', `/v1/assets/${id}/download`, { key: me.key }), { status: 409, code: 'ASSET_NOT_READY' });
}
