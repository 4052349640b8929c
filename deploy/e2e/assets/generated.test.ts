import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { download, getAsset, listAssets, settled } from '../harness/assets.ts';
import { ask, stream } from '../harness/chat.ts';
import { readStream, type Streamed } from '../harness/event-stream.ts';
import { call } from '../harness/http.ts';
import { openaiClient, saying } from '../harness/openai.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { type Uploader } from '../harness/upload.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const completion = z.looseObject({
  conversation_id: z.uuid(),
  message_id: z.uuid(),
  choices: z.array(z.looseObject({ message: z.looseObject({ content: z.string() }) })),
  assets: z.array(z.looseObject({ id: z.uuid(), status: z.string() })).optional(),
});
const message = z.looseObject({
  status: z.string(),
  content: z.string(),
  pending_operations: z.int(),
  assets: z.array(z.looseObject({ id: z.uuid(), status: z.string() })),
});
const event = z.looseObject({ type: z.string(), asset: z.looseObject({ id: z.uuid() }).optional() });

describe('what an upstream makes comes back as an asset', () => {
  inBothTopologies((gateway) => {
    let tenant: Tenant;
    let me: Uploader;
    beforeEach(async () => {
      tenant = await makeTenant(gateway);
      me = { gateway: gateway(), key: tenant.apiKey };
    });
    const eventsOf = ({ chunks }: Streamed) =>
      chunks.flatMap(({ lifecycle_event }) => (lifecycle_event ? [event.parse(lifecycle_event)] : []));
    const messageOf = async (id: string) => message.parse((await call(gateway(), 'GET', `/v1/messages/${id}`, { key: me.key })).json);

    it('tells of its life on the open stream, in order, and ends when it is ready', async () => {
      const answer = await readStream(await stream(gateway(), { key: me.key, say: 'draw a red circle' }));
      const events = eventsOf(answer);
      const types = events.map(({ type }) => type);
      expect(types.filter((type) => type.startsWith('asset.'))).toEqual(['asset.discovered', 'asset.processing', 'asset.ready']);
      expect(types.at(-1)).toBe('response.completed');
      expect(answer.data.at(-1)).toBe('[DONE]');
      expect(answer.text).not.toContain('base64');
      expect(answer.text).toMatch(/image/i);
      const id = events.find(({ asset }) => asset)?.asset?.id ?? '';
      const asset = await getAsset(me, id);
      expect(asset).toMatchObject({ asset_type: 'image', mime_type: 'image/png', status: 'ready', retry_count: 0 });
      expect(asset.download_url).toBe(`/v1/assets/${id}/download`);
      const { status, headers, bytes } = await download(me, id);
      expect(status).toBe(200);
      expect(bytes.subarray(0, 4)).toEqual(PNG);
      expect(bytes).toHaveLength(asset.size_bytes);
      expect(headers.get('content-disposition')).toMatch(/^attachment/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    });

    it('is announced again with an answer from the record', async () => {
      const turn = { key: me.key, say: 'draw a red circle', headers: { 'idempotency-key': 'draw-once' } };
      const first = completion.parse((await ask(gateway(), turn)).json);
      const second = completion.parse((await ask(gateway(), turn)).json);
      expect(second).toMatchObject({ message_id: first.message_id, assets: [{ id: first.assets?.[0]?.id, status: 'ready' }] });

      const streamed = { ...turn, headers: { 'idempotency-key': 'draw-once-more' } };
      await readStream(await stream(gateway(), streamed));
      const types = eventsOf(await readStream(await stream(gateway(), streamed))).map(({ type }) => type);
      expect(types).toEqual(['asset.discovered', 'asset.processing', 'asset.ready', 'response.completed']);
      await call(gateway(), 'DELETE', `/v1/conversations/${first.conversation_id}`, { key: me.key });
      expect((await ask(gateway(), turn)).json).toMatchObject({ error: { code: 'CONVERSATION_NOT_FOUND' } });
    });

    it.each([
      ['make a CSV of the planets', 'text/csv'],
      ['make a PDF report about doors', 'application/pdf'],
      ['write a Word document about doors', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ])('%s', async (say, mimeType) => {
      const { assets } = completion.parse((await ask(gateway(), { key: me.key, say })).json);
      expect(assets).toHaveLength(1);
      const asset = await settled(me, assets?.[0]?.id ?? '');
      expect(asset).toMatchObject({ status: 'ready', mime_type: mimeType, asset_type: 'file' });
      expect((await download(me, asset.id)).bytes.length).toBe(asset.size_bytes);
    });

    it('shows in the message and in the conversation, and nowhere else', async () => {
      const {
        conversation_id: conversation,
        message_id: id,
        assets,
      } = completion.parse((await ask(gateway(), { key: me.key, say: 'draw a red circle and make a CSV of the planets' })).json);
      expect(assets).toHaveLength(2);
      await waitFor(async () => (await messageOf(id)).status === 'completed');
      const shown = await messageOf(id);
      expect(shown).toMatchObject({ pending_operations: 0 });
      expect(shown.assets.map((asset) => asset.id).sort()).toEqual(assets?.map((asset) => asset.id).sort());
      expect((await listAssets(me, conversation)).map((asset) => asset.id).sort()).toEqual(assets?.map((asset) => asset.id).sort());
      const other = await makeTenant(gateway);
      for (const path of ['', '/download']) {
        const answer = await call(gateway(), 'GET', `/v1/assets/${assets?.[0]?.id}${path}`, { key: other.apiKey });
        expect(answer).toMatchObject({ status: 403, json: { error: { code: 'ASSET_ACCESS_DENIED' } } });
      }
    });

    it('is downloaded in parts, by HEAD, and not again when it is known', async () => {
      const { assets } = completion.parse((await ask(gateway(), { key: me.key, say: 'draw a blue square' })).json);
      const { id, size_bytes: size } = await settled(me, assets?.[0]?.id ?? '');
      const whole = await download(me, id);
      const part = await download(me, id, { range: 'bytes=1-3' });
      expect(part).toMatchObject({ status: 206, bytes: whole.bytes.subarray(1, 4) });
      expect(part.headers.get('content-range')).toBe(`bytes 1-3/${size}`);
      expect((await download(me, id, { range: 'bytes=-5' })).bytes).toEqual(whole.bytes.subarray(-5));
      expect((await download(me, id, { range: 'bytes=9999999-' })).status).toBe(416);
      const etag = whole.headers.get('etag') ?? '';
      expect((await download(me, id, { 'if-none-match': etag })).status).toBe(304);
      const head = await call(gateway(), 'HEAD', `/v1/assets/${id}/download`, { key: me.key });
      expect(head).toMatchObject({ status: 200, text: '' });
      expect(head.headers.get('content-length')).toBe(String(size));
    });

    it('the official client reads such a stream as any other', async () => {
      const { client } = openaiClient(gateway(), { apiKey: me.key });
      let text = '';
      let ends = 0;
      for await (const chunk of await client.chat.completions.create({ ...saying('draw a red circle'), stream: true })) {
        text += chunk.choices[0]?.delta.content ?? '';
        if (chunk.choices[0]?.finish_reason) ends++;
      }
      expect(text).not.toBe('');
      expect(ends).toBe(1);
    });

    it('an account that may make no images says so once, and the manifest remembers', async () => {
      const state = async () => {
        const { json } = await call(gateway(), 'GET', '/v1/capabilities', { key: me.key });
        return z.looseObject({ capabilities: z.looseObject({ images: z.looseObject({ state: z.string() }) }) }).parse(json).capabilities
          .images.state;
      };
      expect(await state()).toBe('unknown');
      await onlyAccount(tenant).order({ fault: 'image_refused' });
      expect(await ask(gateway(), { key: me.key, say: 'draw a red circle' })).toMatchObject({
        status: 503,
        json: { error: { code: 'IMAGE_GENERATION_UNAVAILABLE', retryable: false } },
      });
      expect(await state()).toBe('unavailable');
      expect(await ask(gateway(), { key: me.key, say: 'hello' })).toMatchObject({ status: 200 });
      expect(await ask(gateway(), { key: me.key, say: 'draw a red circle' })).toMatchObject({ status: 200 });
      expect(await state()).toBe('unknown');
    });
  });
});
