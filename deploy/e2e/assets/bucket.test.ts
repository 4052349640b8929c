import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { download, getAsset, lifecycleOf, madeIn } from '../harness/assets.ts';
import { type Bucket, openBucket } from '../harness/bucket.ts';
import { stream } from '../harness/chat.ts';
import { readStream } from '../harness/event-stream.ts';
import { call } from '../harness/http.ts';
import { type Parley, startParley } from '../harness/parley.ts';
import { makeTenant } from '../harness/tenant.ts';
import { attach, type Uploader } from '../harness/upload.ts';

describe('a gateway that keeps its files in a bucket', () => {
  let bucket: Bucket;
  let gateway: Parley;
  beforeAll(async () => {
    bucket = await openBucket();
    gateway = await startParley({ topology: 'separate', env: bucket.env });
  });
  afterAll(async () => {
    await gateway.dispose();
    await bucket.close();
  });

  it('keeps what is made and what is attached there, serves it in parts, and deletes it with its conversation', async () => {
    const { apiKey: key } = await makeTenant(() => gateway);
    const me: Uploader = { gateway, key };
    const response = await stream(gateway, { key, say: 'draw a red circle' });
    const conversation = response.headers.get('x-service-conversation-id') ?? '';
    const answer = await readStream(response);
    expect(lifecycleOf(answer).at(-1)?.type).toBe('response.completed');
    const { asset: made } = madeIn(answer);
    const text = Buffer.from('the code word is heron\n'.repeat(5_000));
    const { asset_id: attached } = await attach(me, conversation, { name: 'notes.txt', bytes: text, type: 'text/plain' });
    expect([...bucket.objects.keys()].filter((name) => name.includes(made) || name.includes(attached))).toHaveLength(2);

    const whole = await download(me, made);
    expect(whole.bytes).toHaveLength((await getAsset(me, made)).size_bytes);
    expect(await download(me, attached)).toMatchObject({ status: 200, bytes: text });
    const part = await download(me, attached, { range: 'bytes=4-21' });
    expect(part).toMatchObject({ status: 206, bytes: Buffer.from('code word is heron') });
    expect(part.headers.get('content-range')).toBe(`bytes 4-21/${text.length}`);
    expect((await download(me, made, { range: 'bytes=-5' })).bytes).toEqual(whole.bytes.subarray(-5));
    expect((await download(me, made, { 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(304);

    const deleted = await call(gateway, 'DELETE', `/v1/conversations/${conversation}`, { key });
    expect(deleted.status).toBeLessThan(300);
    await waitFor(() => bucket.objects.size === 0, { everyMs: 100 });
    expect((await download(me, made)).status).toBe(404);
  });
});
