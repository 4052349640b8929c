import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { download, lifecycleOf, listAssets, madeIn, settled } from '../../harness/assets.ts';
import { ask, said, stream } from '../../harness/chat.ts';
import { readStream } from '../../harness/event-stream.ts';
import { expectRefusal } from '../../harness/expectations.ts';
import { fullStores } from '../../harness/full-store.ts';
import { call } from '../../harness/http.ts';
import { type Parley, startParley } from '../../harness/parley.ts';
import { partOf } from '../../harness/parts.ts';
import { createProject } from '../../harness/projects.ts';
import { makeTenant, onlyAccount } from '../../harness/tenant.ts';
import { attach, type LocalFile, upload, type Uploader } from '../../harness/upload.ts';

const FILE: LocalFile = { name: 'notes.txt', bytes: Buffer.from('all work and no play\n'.repeat(50_000)), type: 'text/plain' };

describe.each(await fullStores())('a full %s', (_name, store) => {
  let gateway: Parley;
  beforeAll(async () => {
    gateway = await startParley({ topology: 'separate', env: store.env });
  });
  afterAll(async () => {
    await gateway.dispose();
    await store.close();
  });

  it('fails uploads and ingestions, leaves no half of a file, and is no matter once there is room again', async () => {
    const tenant = await makeTenant(() => gateway);
    const me: Uploader = { gateway, key: tenant.apiKey };
    const { conversation } = said(await ask(gateway, { key: me.key, say: 'hello' }));
    const { id: project } = await createProject(me, { name: 'Full' });
    await attach(me, conversation, FILE);
    const before = (await store.files()).sort();
    const service = await partOf(gateway, 'asset');

    await store.fill();
    for (const path of [`/v1/conversations/${conversation}/attachments`, `/v1/projects/${project}/files`])
      expectRefusal(await upload(me, path, FILE), { status: 502, code: 'UPLOAD_FAILED' });
    const answer = await readStream(await stream(gateway, { key: me.key, say: 'make a file of 200 KB' }));
    expect(lifecycleOf(answer).filter(({ type }) => type === 'asset.failed')).toMatchObject([{ error_code: 'UPLOAD_FAILED' }]);
    expect(lifecycleOf(answer).at(-1)?.type).toBe('response.completed');
    expect(await ask(gateway, { key: me.key, conversation, say: 'still there?' })).toMatchObject({ status: 200 });
    expect((await store.files()).sort()).toEqual(before);
    expect(await listAssets(me, conversation)).toHaveLength(1);
    expect((await onlyAccount(tenant).report()).files).toHaveLength(1);

    await store.makeRoom();
    const { asset_id: attached } = await attach(me, conversation, FILE);
    expect((await download(me, attached)).bytes).toEqual(FILE.bytes);
    const { asset } = madeIn(answer);
    expect(await call(gateway, 'POST', `/v1/assets/${asset}/retry`, { key: me.key })).toMatchObject({ status: 200 });
    expect(await settled(me, asset)).toMatchObject({ status: 'ready', retry_count: 1, size_bytes: 200_000 });
    expect(await store.files()).toHaveLength(before.length + 2);
    expect((await partOf(gateway, 'asset')).pid).toBe(service.pid);
  });
});
