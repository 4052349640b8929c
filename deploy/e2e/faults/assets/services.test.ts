import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { z } from 'zod';
import { download, getAsset, getMessage, lifecycleOf, madeIn, settled } from '../../harness/assets.ts';
import { ask, stream } from '../../harness/chat.ts';
import { parseStream, readStream, readUntil, type Streamed } from '../../harness/event-stream.ts';
import { expectRefusal } from '../../harness/expectations.ts';
import { call } from '../../harness/http.ts';
import { oneGateway } from '../../harness/one-gateway.ts';
import { freeze, killPart, partOf } from '../../harness/parts.ts';
import { makeTenant, onlyAccount, type Tenant } from '../../harness/tenant.ts';
import { type Uploader } from '../../harness/upload.ts';

/** An answer is over long before the usual wait for assets is, whatever becomes of the service; here it is a second. */
const TOLD_MS = 40_000;
const UNAVAILABLE = { status: 503, code: 'SERVICE_UNAVAILABLE' };
const completion = z.looseObject({ message_id: z.uuid(), assets: z.array(z.looseObject({ id: z.uuid(), status: z.string() })) });
const messages = z.array(z.looseObject({ id: z.uuid(), role: z.string() }));

describe('an asset service that hangs or is killed', () => {
  const gateway = oneGateway({ topology: 'separate', env: { PARLEY_ASSET_WAIT: '1s' } });

  let tenant: Tenant;
  let me: Uploader;
  let thaw: () => void = () => undefined;
  beforeEach(async () => {
    tenant = await makeTenant(gateway);
    me = { gateway: gateway(), key: tenant.apiKey };
  });
  afterEach(() => thaw());

  const freezeAsset = async () => {
    const service = await partOf(gateway(), 'asset');
    thaw = await freeze(service.pid);
    return service;
  };
  /** Whatever was said to the service before is lost with it. */
  const replaceAsset = async () => {
    const killed = await killPart(gateway(), 'asset');
    thaw();
    await partOf(gateway(), 'asset', killed);
  };
  const draw = () => stream(gateway(), { key: me.key, say: 'draw a red circle', signal: AbortSignal.timeout(TOLD_MS) });
  const messageOf = ({ chunks }: Pick<Streamed, 'chunks'>) => chunks.find(({ message_id }) => message_id !== undefined)?.message_id ?? '';
  /** Waits until a message and the one asset in it are complete, and gives the asset. */
  const complete = async (message: string) => {
    const shown = await waitFor(
      async () => [await getMessage(me, message)].find(({ status, assets }) => status === 'completed' && assets.length > 0),
      { everyMs: 100 },
    );
    expect(shown).toMatchObject({ pending_operations: 0, content: expect.stringContaining('[image: red-circle.png]') });
    expect(shown.assets).toMatchObject([{ status: 'ready', retry_count: 0 }]);
    expect((await onlyAccount(tenant).report()).artifacts).toMatchObject([{ downloads: 1 }]);
    return shown.assets[0]?.id ?? '';
  };

  it('hangs: the text comes, the answer ends, and the asset comes later', async () => {
    await freezeAsset();
    const answer = await readStream(await draw());
    expect(answer.text).toContain('[image: red-circle.png]');
    expect(lifecycleOf(answer).map(({ type }) => type)).toEqual(['asset.discovered', 'response.partially_completed']);
    expect(answer.data.at(-1)).toBe('[DONE]');
    const announced = madeIn(answer).asset;
    thaw();
    const asset = await complete(messageOf(answer));
    expect(asset).toBe(announced);
    expect((await download(me, asset)).status).toBe(200);
  });

  it('hangs: a whole answer names what it will be', async () => {
    await freezeAsset();
    const answer = await ask(gateway(), { key: me.key, say: 'draw a red circle', signal: AbortSignal.timeout(TOLD_MS) });
    expect(answer.status).toBe(200);
    const { assets, message_id: message } = completion.parse(answer.json);
    expect(assets).toMatchObject([{ status: 'discovered' }]);
    thaw();
    expect(await complete(message)).toBe(assets[0]?.id);
  });

  it('hangs: requests for assets fail with an error, and chat continues', async () => {
    const made = completion.parse((await ask(gateway(), { key: me.key, say: 'draw a red circle' })).json);
    const id = made.assets[0]?.id ?? '';
    await settled(me, id);
    await freezeAsset();
    const about = ['', '/download'].map((path) => call(gateway(), 'GET', `/v1/assets/${id}${path}`, { key: me.key }));
    for (const answer of await Promise.all(about)) expectRefusal(answer, { status: 504, code: 'TIMEOUT' });
    expect(await ask(gateway(), { key: me.key, say: 'hello' })).toMatchObject({ status: 200 });
    thaw();
    await waitFor(async () => (await download(me, id)).status === 200);
  });

  it('is killed with all that it received: the event of the turn registers the artifacts', async () => {
    await freezeAsset();
    const answer = await readStream(await draw());
    await replaceAsset();
    await complete(messageOf(answer));
  });

  it('is killed: requests fail with an error, and it restarts by itself', async () => {
    const made = completion.parse((await ask(gateway(), { key: me.key, say: 'draw a red circle' })).json);
    const id = made.assets[0]?.id ?? '';
    await settled(me, id);
    const killed = await killPart(gateway(), 'asset');
    const refused = await waitFor(async () =>
      [await call(gateway(), 'GET', `/v1/assets/${id}`, { key: me.key, signal: AbortSignal.timeout(TOLD_MS) })].find(
        ({ status }) => status !== 200,
      ),
    );
    expectRefusal(refused, UNAVAILABLE);
    await partOf(gateway(), 'asset', killed);
    await waitFor(async () => (await download(me, id)).status === 200);
    expect(await getAsset(me, id)).toMatchObject({ status: 'ready' });
  });

  it('loses nothing when the edge falls too, right after the text', async () => {
    await freezeAsset();
    const response = await draw();
    const { raw, reader } = await readUntil(response, (read) => read.includes('"finish_reason":"stop"'));
    await Promise.all([killPart(gateway(), 'edge'), replaceAsset()]);
    await reader.cancel().catch(() => undefined);
    const message = messageOf(parseStream(raw.slice(0, raw.lastIndexOf('\n\n') + 2)));
    const conversation = response.headers.get('x-service-conversation-id') ?? '';
    await waitFor(async () => (await call(gateway(), 'GET', '/readyz')).status === 200);
    await complete(message);
    const listed = await call(gateway(), 'GET', `/v1/conversations/${conversation}/messages`, { key: me.key });
    expect(messages.parse(listed.json).filter(({ role }) => role === 'assistant')).toHaveLength(1);
  });
});
