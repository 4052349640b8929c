import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isUuid } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { type Connection } from '@parley/protos/routing/v1/routing';
import { type Client, say } from './client.ts';
import { FilesScript, refuse } from './files-script.ts';
import { connectAccount, type House, newCaller, openHouse, type Running } from './house.ts';
import { LISTEN, turnOf } from './turn-house.ts';

const PAGE = { provider: '', status: '', limit: 50, offset: 0 };
const PICTURE = { id: 'sa_1', kind: 'image', name: 'heron.png', mime_type: 'image/png' };
const TABLE = { id: 'sa_2', kind: 'file', name: 'birds.csv', mime_type: 'text/csv' };

describe.each(LISTEN)('what an upstream makes, service reached %s', (listen) => {
  let house: House;
  let running: Running;
  let client: Client;
  let connection: Connection;
  let script: FilesScript;
  beforeAll(async () => {
    house = await openHouse();
    running = await house.start({ listen });
  });
  afterAll(() => house.close());
  beforeEach(async () => {
    script = new FilesScript();
    house.upstream.script = script.serve;
    house.upstream.received.length = 0;
    client = running.as(newCaller());
    const over = { provider: 'sandbox', baseUrl: house.upstream.url, account: 'ada', secret: 'right', models: [] };
    connection = await connectAccount(house, running, client.caller, over);
  });
  const view = async (where = running) => (await where.stub.listConnections(PAGE, { caller: client.caller })).connections[0];

  it.each([true, false])('is told of with an id, and recorded with its turn (stream: %p)', async (stream) => {
    script.makes = [PICTURE, TABLE];
    const heard = await client.turn('draw', { stream });
    expect(heard).toMatchObject({ error: undefined, completed: { finishReason: 'stop' } });
    expect(heard.artifacts).toMatchObject([
      { assetType: 'image', fileName: 'heron.png', mimeType: 'image/png', connectionId: connection.id, reference: 'sa_1' },
      { assetType: 'file', fileName: 'birds.csv', mimeType: 'text/csv', connectionId: connection.id, reference: 'sa_2' },
    ]);
    expect(heard.artifacts.every(({ assetId }) => isUuid(assetId))).toBe(true);
    expect(turnOf(house, heard.accepted?.conversationId)?.end?.artifacts).toEqual(heard.artifacts);
  });

  it('is not told of before the turn is', async () => {
    script.makes = [PICTURE];
    let commit: () => void = () => undefined;
    house.conversation.before = ({ $case }) => ($case === 'begin' ? new Promise((resolve) => (commit = resolve)) : undefined);
    const heard = client.open(say('draw'));
    await waitFor(() => house.upstream.received.at(-1)?.res.writableFinished);
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard.artifacts).toEqual([]);
    house.conversation.before = () => undefined;
    commit();
    await heard.over;
    expect(heard.artifacts).toHaveLength(1);
  });

  it('is recorded with a turn that its client left', async () => {
    script.makes = [PICTURE];
    script.conversations.text = undefined;
    const heard = client.open(say('draw'));
    await waitFor(() => heard.artifacts.length === 1 && heard.text === 'part');
    heard.exchange?.cancel();
    const turn = await waitFor(() => turnOf(house, heard.accepted?.conversationId));
    await waitFor(() => turn.end);
    expect(turn.end).toMatchObject({ status: 'interrupted', artifacts: heard.artifacts });
  });

  it('is bounded', async () => {
    script.makes = Array.from({ length: 40 }, (_, n) => ({ ...TABLE, id: `sa_${n}` }));
    const heard = await client.turn('make it all');
    expect(heard.error).toBeUndefined();
    expect(heard.artifacts).toHaveLength(32);
  });

  describe('fetched', () => {
    const fetch = (caller = client.caller, reference = 'sa_1', signal?: AbortSignal) =>
      running.stub.fetchArtifact({ connectionId: connection.id, reference }, { caller, deadlineMs: 20_000, ...(signal && { signal }) });
    /** Reads to the end. */
    async function read(frames: ReturnType<typeof fetch>) {
      const chunks: Uint8Array[] = [];
      let head: unknown;
      for await (const { frame } of frames) {
        if (frame?.$case === 'head') head = frame.value;
        else if (frame) chunks.push(frame.value);
      }
      return { head, chunks };
    }

    it('comes in pieces of 64 KiB at most, also for the house itself', async () => {
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
      script.artifacts.set('sa_1', ({ res }) => {
        const headers = { 'content-type': 'image/png', 'content-length': String(bytes.length), 'x-file-name': 'heron.png' };
        res.writeHead(200, headers).end(bytes);
      });
      for (const caller of [client.caller, { ...SYSTEM_CALLER, workspaceId: client.caller.workspaceId }]) {
        const { head, chunks } = await read(fetch(caller));
        expect(head).toEqual({ fileName: 'heron.png', mimeType: 'image/png', sizeBytes: bytes.length });
        expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
        expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
      }
    });

    it('does not come faster than it is read', async () => {
      let sent = 0;
      const piece = Buffer.alloc(1024 * 1024);
      script.artifacts.set('sa_1', async ({ res }) => {
        const closed = once(res, 'close');
        res.writeHead(200, { 'content-type': 'image/png' });
        for (; sent < 100 && !res.destroyed; sent++) {
          if (!res.write(piece)) await Promise.race([once(res, 'drain'), closed]);
        }
        res.end();
      });
      const frames = fetch()[Symbol.asyncIterator]();
      for (let n = 0; n < 4; n++) await frames.next();
      // What is under way fills the buffers in between, and then nothing moves.
      let before = -1;
      await waitFor(
        () => {
          const rests = sent === before;
          before = sent;
          return rests;
        },
        { everyMs: 300 },
      );
      expect(sent).toBeLessThan(50);
      await frames.return?.();
      await waitFor(() => house.upstream.received.find(({ path }) => path.endsWith('sa_1'))?.isClosed);
    });

    it.each([
      [404, 'artifact_not_found', 'ASSET_NOT_FOUND'],
      [409, 'artifact_not_ready', 'ASSET_NOT_READY'],
      [500, 'broken', 'PROVIDER_BAD_ANSWER'],
    ])('is refused: %i %s is %s, and says nothing of the account', async (status, code, condition) => {
      script.intercept = (received) => refuse(received, status, code);
      for (let n = 0; n < 6; n++) await expect(read(fetch())).rejects.toMatchObject({ condition });
      await expect(view()).resolves.toMatchObject({ status: 'active' });
    });

    it('says when the session has expired', async () => {
      script.conversations.sessions.clear();
      await expect(read(fetch())).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
      await expect(view()).resolves.toMatchObject({ status: 'expired' });
    });

    it('is cut off where the upstream is', async () => {
      script.artifacts.set('sa_1', ({ res }) => {
        res.writeHead(200, { 'content-length': '1000' }).write('abc', () => res.destroy());
      });
      await expect(read(fetch())).rejects.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
    });

    it('is not for another workspace', async () => {
      await expect(read(fetch(newCaller()))).rejects.toMatchObject({ condition: 'CONNECTION_NOT_FOUND' });
      await expect(read(fetch(SYSTEM_CALLER))).rejects.toMatchObject({ condition: 'CONNECTION_NOT_FOUND' });
    });
  });

  describe('when pictures are refused', () => {
    beforeEach(async () => {
      script.conversations.refusal = { status: 403, code: 'image_generation_unavailable' };
      await expect(client.refusal()).resolves.toBe('IMAGE_GENERATION_UNAVAILABLE');
      script.conversations.refusal = undefined;
    });

    it('the connection says so on every replica, works as before, and forgets it with the next picture', async () => {
      const other = await house.start({ listen });
      await expect(view()).resolves.toMatchObject({ status: 'active', refused: ['images'] });
      await waitFor(async () => (await view(other))?.refused[0] === 'images');
      await expect(client.refusal()).resolves.toBe('');
      await expect(view()).resolves.toMatchObject({ refused: ['images'] });
      script.makes = [TABLE];
      await client.turn('make');
      await expect(view()).resolves.toMatchObject({ refused: ['images'] });
      script.makes = [PICTURE];
      await client.turn('draw');
      await expect(view()).resolves.toMatchObject({ refused: [] });
      await waitFor(async () => (await view(other))?.refused.length === 0);
      await other.stop();
    });

    it.each([
      ['tested', () => running.stub.testConnection({ id: connection.id }, { caller: client.caller, deadlineMs: 20_000 })],
      [
        'reconnected',
        () => running.stub.updateConnection({ id: connection.id, secret: 'right' }, { caller: client.caller, deadlineMs: 20_000 }),
      ],
    ])('that is forgotten when the connection is %s', async (_name, act) => {
      await act();
      await expect(view()).resolves.toMatchObject({ refused: [] });
    });
  });
});
