import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { say, sayAfter, send } from '../testing/chat.ts';
import { makeProject } from '../testing/files.ts';
import { framesOf, type Frame } from '../testing/frames.ts';
import { ADA, startTestSandbox, until, type TestSandbox } from '../testing/test-sandbox.ts';

let sandbox: TestSandbox;
let token: string;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  token = await sandbox.signIn();
});
afterEach(async () => {
  await sandbox.control('DELETE', '/accounts/ada/faults');
  await sandbox.control('PUT', '/pacing', { delay_ms: 0, artifact_ms: 0 });
});
afterAll(() => sandbox.close());

const fetchArtifact = (id: string, session = token): Promise<Response> => sandbox.call('GET', `/api/artifacts/${id}`, undefined, session);
const order = (fault: string, more: object = {}): Promise<void> =>
  sandbox.control('POST', '/accounts/ada/faults', { fault, on: 'artifacts', ...more });

async function draw(): Promise<string> {
  const { artifacts } = await say(sandbox, token, { text: 'draw a red circle' });
  return artifacts[0]?.id ?? '';
}

async function downloads(id: string): Promise<number | undefined> {
  return (await sandbox.report()).artifacts.find((artifact) => artifact.id === id)?.downloads;
}

/** What is on the wire, which a client that minds the declared length does not see. */
async function rawGet(path: string): Promise<Buffer> {
  const { hostname, port } = new URL(sandbox.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe('artifacts', () => {
  it('come between accepted and done, with a placeholder in the text', async () => {
    const frames: Frame[] = [];
    for await (const frame of framesOf(await send(sandbox, token, { text: 'draw a red circle and make a CSV of the planets' })))
      frames.push(frame);
    const events = frames.map(({ event }) => event).filter((event) => event !== 'delta');
    expect(events).toEqual(['accepted', 'artifact', 'artifact', 'done']);
    expect(JSON.parse(frames.find(({ event }) => event === 'artifact')?.data ?? '')).toEqual({
      id: expect.stringMatching(/^sa_/),
      kind: 'image',
      name: 'red-circle.png',
      mime_type: 'image/png',
    });
    const reply = await say(sandbox, token, { text: 'make a CSV of the planets' });
    expect(reply.text).toBe('Here is what you asked for:\n[file: planets.csv]');
  });

  it('are served with type, length and name, as often as asked for, to their account', async () => {
    const id = await draw();
    const response = await fetchArtifact(id);
    const bytes = Buffer.from(await response.arrayBuffer());
    const received = ['content-type', 'content-length', 'x-file-name'].map((name) => response.headers.get(name));
    expect(received).toEqual(['image/png', String(bytes.length), 'red-circle.png']);
    expect(PNG.sync.read(bytes).width).toBe(256);
    await (await fetchArtifact(id)).arrayBuffer();
    expect(await downloads(id)).toBe(2);
    const bob = { ...ADA, id: 'bob', api_key: 'sk-bob' };
    await sandbox.control('POST', '/accounts', bob);
    expect([(await fetchArtifact(id, await sandbox.signIn(bob))).status, (await fetchArtifact('sa_none')).status]).toEqual([404, 404]);
  });

  it('are the same when their turn is asked for again, and new when it is repeated', async () => {
    const first = await say(sandbox, token, { text: 'draw a cat', turn: 'cat' });
    expect((await say(sandbox, token, { text: 'draw a cat', turn: 'cat' })).artifacts).toEqual(first.artifacts);
    await sandbox.control('POST', '/accounts/ada/faults', { fault: 'error_mid_stream', after_chunks: 2 });
    const broken = await say(sandbox, token, { text: 'draw a dog', turn: 'dog' });
    expect([broken.end, broken.artifacts]).toEqual(['error', []]);
    const repeated = await say(sandbox, token, { text: 'draw a dog', turn: 'dog', again: true });
    expect(repeated).toMatchObject({ end: 'done', artifacts: [{ name: 'dog.png' }] });
  });

  it('honour the instructions of a project and leave placeholders as they are', async () => {
    const { id } = await makeProject(sandbox, token, { instructions: 'reply in capitals' });
    const reply = await say(sandbox, token, { text: 'draw a cat', project: id });
    expect([reply.text, reply.artifacts.length]).toEqual(['HERE IS WHAT YOU ASKED FOR:\n[image: cat.png]', 1]);
  });

  it('can be very large', async () => {
    const { artifacts } = await say(sandbox, token, { text: 'make a file of 20 MB' });
    const response = await fetchArtifact(artifacts[0]?.id ?? '');
    let size = 0;
    for await (const chunk of response.body ?? []) size += (chunk as Uint8Array).length;
    expect([response.headers.get('content-length'), size]).toEqual(['20000000', 20_000_000]);
  });

  it('are no pictures where the account may have none', async () => {
    const eve = { ...ADA, id: 'eve', api_key: 'sk-eve', images: false };
    await sandbox.control('POST', '/accounts', eve);
    const session = await sandbox.signIn(eve);
    const refused = await send(sandbox, session, { text: 'draw a cat' });
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { error: { code: 'image_generation_unavailable', message: expect.any(String) } },
    ]);
    expect((await sandbox.report('eve')).conversations).toEqual([]);
    expect((await say(sandbox, session, { text: 'make a CSV of cats' })).artifacts).toHaveLength(1);
    expect((await say(sandbox, session, { text: 'say draw' })).text).toBe('draw');
  });

  it('survive a restart with the same bytes', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const before = await startTestSandbox({ dataDir });
    const session = await before.signIn();
    const reply = await say(before, session, { text: 'make a PDF about rivers', turn: 'pdf' });
    const path = `/api/artifacts/${reply.artifacts[0]?.id ?? ''}`;
    const bytes = Buffer.from(await (await before.call('GET', path, undefined, session)).arrayBuffer());
    await before.close();
    const after = await startTestSandbox({ dataDir });
    expect(Buffer.from(await (await after.call('GET', path, undefined, session)).arrayBuffer()).equals(bytes)).toBe(true);
    expect((await say(after, session, { text: 'x', turn: 'pdf' })).artifacts).toEqual(reply.artifacts);
    expect((await sayAfter(after, session, reply, 'say on')).artifacts).toEqual([]);
    await after.close();
    rmSync(dataDir, { recursive: true });
  });
});

describe('faults of artifacts', () => {
  it.each([
    ['artifact_not_ready', 409, 'artifact_not_ready'],
    ['artifact_missing', 404, 'artifact_not_found'],
    ['server_error', 500, 'internal_error'],
    ['rate_limited', 429, 'rate_limited'],
  ])('%s: %d %s, as often as ordered', async (fault, status, code) => {
    const id = await draw();
    await order(fault, { count: 2 });
    for (let time = 0; time < 2; time++) {
      const response = await fetchArtifact(id);
      expect([response.status, await response.json()]).toEqual([status, { error: { code, message: expect.any(String) } }]);
    }
    expect([(await fetchArtifact(id)).status, await downloads(id)]).toEqual([200, 1]);
  });

  it('are delayed when the fault says so', async () => {
    await sandbox.control('PUT', '/pacing', { artifact_ms: 3_600_000 });
    const id = await draw();
    expect((await fetchArtifact(id)).status).toBe(409);
    await sandbox.control('PUT', '/pacing', { artifact_ms: 0 });
    expect((await fetchArtifact(id)).status).toBe(200);
  });

  it('cut closes the connection in the middle', async () => {
    const id = await draw();
    await order('cut');
    const response = await fetchArtifact(id);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(await downloads(id)).toBe(0);
  });

  it('artifact_larger sends more than it declares', async () => {
    const id = await draw();
    const { length } = Buffer.from(await (await fetchArtifact(id)).arrayBuffer());
    await order('artifact_larger');
    const raw = await rawGet(`/api/artifacts/${id}`);
    expect(raw.toString('latin1')).toContain(`Content-Length: ${Math.floor(length / 2)}\r\n`);
    expect(raw.length - raw.indexOf('\r\n\r\n') - 4).toBe(length);
    expect(await downloads(id)).toBe(1);
  });

  it('half_open falls silent in the middle', async () => {
    const id = await draw();
    await order('half_open');
    const gone = new AbortController();
    const response = await sandbox.call('GET', `/api/artifacts/${id}`, undefined, token, gone.signal);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect((first?.value as Uint8Array).length).toBeLessThan(Number(response.headers.get('content-length')));
    gone.abort();
    await expect(reader?.read()).rejects.toThrow();
    expect(await downloads(id)).toBe(0);
  });

  it('artifact_slow pauses in the middle and ends whole', async () => {
    const id = await draw();
    await order('artifact_slow', { delay_ms: 20 });
    expect(PNG.sync.read(Buffer.from(await (await fetchArtifact(id)).arrayBuffer())).width).toBe(256);
    await until(async () => (await downloads(id)) === 1);
  });

  it('artifact_html is a page behind the name of a picture', async () => {
    const id = await draw();
    await order('artifact_html');
    const response = await fetchArtifact(id);
    expect([response.headers.get('content-type'), response.headers.get('x-file-name')]).toEqual(['image/png', 'red-circle.png']);
    expect(await response.text()).toContain('<html>');
    expect(await downloads(id)).toBe(0);
  });

  it('artifact_unsized does not say how long it is', async () => {
    const id = await draw();
    await order('artifact_unsized');
    const response = await fetchArtifact(id);
    expect(response.headers.get('content-length')).toBeNull();
    expect(PNG.sync.read(Buffer.from(await response.arrayBuffer())).width).toBe(256);
  });
});
