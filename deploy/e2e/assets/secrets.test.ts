import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { download, madeIn, settled } from '../harness/assets.ts';
import { type Bucket, openBucket } from '../harness/bucket.ts';
import { ask, stream } from '../harness/chat.ts';
import { readStream } from '../harness/event-stream.ts';
import { call } from '../harness/http.ts';
import { type Parley, START_MS, startParley, STOP_MS, type Topology } from '../harness/parley.ts';
import { killPart } from '../harness/parts.ts';
import { createProject } from '../harness/projects.ts';
import { makeTenant, onlyAccount, type Tenant } from '../harness/tenant.ts';
import { addToProject, attach, upload, type Uploader } from '../harness/upload.ts';

const LETTERS = 'heron';

describe.each<Topology>(['single', 'separate'])('what a gateway logs of files (%s)', (topology) => {
  it(
    'is neither their names nor what they say, and nothing that opens a door, however loud it is',
    async () => {
      const bucket = await openBucket();
      const gateway = await startParley({ topology, env: { ...bucket.env, PARLEY_LOG_LEVEL: 'trace', PARLEY_ASSET_MAX_BYTES: '1MB' } });
      try {
        const tenant = await makeTenant(() => gateway);
        const marker = `${LETTERS}-${randomUUID()}`;
        await useFiles(gateway, tenant, bucket, marker);
        const log = await gateway.log();
        expect(log).toContain('asset ready');
        const { apiKey, accounts } = tenant;
        const secrets = { marker, apiKey, admin: gateway.apiKey, operator: gateway.operatorKey, bucket: bucket.secret };
        for (const [name, secret] of Object.entries(secrets))
          expect({ name, isLogged: log.includes(secret) }).toEqual({ name, isLogged: false });
        for (const { password, apiKey: key } of accounts) for (const secret of [password, key]) expect(log.includes(secret)).toBe(false);
        expect(log).not.toMatch(/ticket=|\d{13}\.[\w-]{43}/);
      } finally {
        await gateway.dispose();
        await bucket.close();
      }
    },
    START_MS + STOP_MS + 120_000,
  );
});

/** Files go up and come down in every way that works and in some that do not; all of them have the marker in their names and contents. */
async function useFiles(gateway: Parley, tenant: Tenant, bucket: Bucket, marker: string): Promise<void> {
  const me: Uploader = { gateway, key: tenant.apiKey };
  const file = { name: `${marker}.txt`, bytes: Buffer.from(`the word is ${marker}\n`), type: 'text/plain' };
  const response = await stream(gateway, { key: me.key, say: `draw a picture of ${marker}` });
  const conversation = response.headers.get('x-service-conversation-id') ?? '';
  const { asset } = madeIn(await readStream(response));
  await settled(me, asset);
  expect((await download(me, asset)).status).toBe(200);
  expect((await download(me, asset, { range: 'bytes=99999999-' })).status).toBe(416);
  const { file_id, asset_id: attached } = await attach(me, conversation, file);
  expect((await download(me, attached)).bytes).toEqual(file.bytes);
  await addToProject(me, (await createProject(me, { name: marker })).id, file);
  const asked = await ask(gateway, { key: me.key, conversation, say: `what is ${marker}?`, body: { attachment_file_ids: [file_id] } });
  expect(asked.status).toBe(200);

  const path = `/v1/conversations/${conversation}/attachments`;
  expect((await upload(me, path, { ...file, name: `${marker}.pdf` })).status).toBe(400);
  bucket.setFull(true);
  expect((await upload(me, path, file)).status).toBe(502);
  bucket.setFull(false);
  await onlyAccount(tenant).order({ fault: 'server_error', on: 'uploads' });
  expect((await upload(me, path, file)).status).toBe(502);
  for (const fault of ['artifact_html', 'artifact_missing']) {
    await onlyAccount(tenant).order({ fault });
    await settled(me, madeIn(await readStream(await stream(gateway, { key: me.key, say: `draw a picture of ${marker}` }))).asset);
  }
  // Bytes that have gone from under an asset: the way to them fails in the middle.
  (bucket.objects as Map<string, Buffer>).clear();
  expect((await call(gateway, 'GET', `/v1/assets/${asset}/download`, { key: me.key })).status).toBeGreaterThanOrEqual(400);
  if (gateway.run.topology === 'separate') {
    await killPart(gateway, 'asset');
    await download(me, attached);
  }
}
