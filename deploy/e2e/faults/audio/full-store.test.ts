import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { act, content, createJob, ended, makeSpeaker } from '../../harness/audio.ts';
import { fullStores } from '../../harness/full-store.ts';
import { open } from '../../harness/http.ts';
import { type Parley, startParley } from '../../harness/parley.ts';
import { partOf } from '../../harness/parts.ts';

/** About 1 MB of audio. */
const TEXT = 'The quick brown fox jumps over the lazy dog, and nobody knows why it would. '.repeat(8);

describe.each(await fullStores())('a full %s', (_name, store) => {
  let gateway: Parley;
  beforeAll(async () => {
    gateway = await startParley({ topology: 'separate', env: store.env });
  });
  afterAll(async () => {
    await gateway.dispose();
    await store.close();
  });

  it('fails jobs after a while, leaves no half of a file, and is no matter once there is room again', async () => {
    const { me } = await makeSpeaker(() => gateway);
    const { id: first } = await ended(me, (await createJob(me, TEXT)).id);
    const size = (await content(me, first)).bytes.length;
    const before = await store.files();
    expect(before).toHaveLength(1);
    const service = await partOf(gateway, 'audio');

    await store.fill();
    const { id: failed } = await createJob(me, TEXT);
    expect(await ended(me, failed)).toMatchObject({
      status: 'failed',
      output_size_bytes: null,
      error: { code: 'SERVICE_UNAVAILABLE' },
    });
    expect(await store.files()).toEqual(before);
    expect((await content(me, first)).status).toBe(200);
    // Speech at once is stored nowhere.
    const body = { model: 'tts-1', input: 'hello', voice: 'slt', response_format: 'wav' };
    const spoken = await open(gateway, 'POST', '/v1/audio/speech', { key: me.key, body });
    expect(spoken.status).toBe(200);
    const { id: waiting } = await createJob(me, TEXT);

    await store.makeRoom();
    expect(await ended(me, waiting)).toMatchObject({ status: 'completed', output_size_bytes: size });
    const again = await act(me, failed, 'retry');
    expect(again).toMatchObject({ status: 202, json: { retry_of: failed } });
    expect(await ended(me, (again.json as { id: string }).id)).toMatchObject({ status: 'completed', output_size_bytes: size });
    expect(await store.files()).toHaveLength(before.length + 2);
    expect((await partOf(gateway, 'audio')).pid).toBe(service.pid);
  });
});
