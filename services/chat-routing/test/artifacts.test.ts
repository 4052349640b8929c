import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isUuid } from '@parley/kit/ids/uuid';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { waitFor } from '@parley/kit/testing/wait-for';
import { waitUntilStable } from '@parley/kit/testing/wait-until-stable';
import { once } from 'node:events';
import { turnRequest } from './client.ts';
import { FilesFixture } from './files-fixture.ts';
import { refuse } from './files-script.ts';
import { newCaller } from './fixture.ts';
import { LISTEN, findTurn } from './turn-fixture.ts';

const PICTURE = { id: 'sa_1', kind: 'image', name: 'heron.png', mime_type: 'image/png' };
const TABLE = { id: 'sa_2', kind: 'file', name: 'birds.csv', mime_type: 'text/csv' };

describe.each(LISTEN)('what an upstream makes, service reached %s', (listen) => {
  let files: FilesFixture;
  beforeAll(async () => {
    files = await FilesFixture.open(listen);
  });
  beforeEach(() => files.settle());
  afterAll(() => files.fixture.close());

  it.each([true, false])('is sent with an id, and recorded with its turn (stream: %p)', async (stream) => {
    files.script.makes = [PICTURE, TABLE];
    const outcome = await files.client.turn('draw', { stream });
    expect(outcome).toMatchObject({ error: undefined, completed: { finishReason: 'stop' } });
    expect(outcome.artifacts).toMatchObject([
      { assetType: 'image', fileName: 'heron.png', mimeType: 'image/png', connectionId: files.connection.id, reference: 'sa_1' },
      { assetType: 'file', fileName: 'birds.csv', mimeType: 'text/csv', connectionId: files.connection.id, reference: 'sa_2' },
    ]);
    expect(outcome.artifacts.every(({ assetId }) => isUuid(assetId))).toBe(true);
    expect(findTurn(files.fixture, outcome.accepted?.conversationId)?.end?.artifacts).toEqual(outcome.artifacts);
  });

  it('is not sent before the turn is accepted', async () => {
    files.script.makes = [PICTURE];
    let commit: () => void = () => undefined;
    files.fixture.conversation.before = ({ $case }) => ($case === 'begin' ? new Promise((resolve) => (commit = resolve)) : undefined);
    const outcome = files.client.open(turnRequest('draw'));
    await waitFor(() => files.fixture.upstream.received.at(-1)?.res.writableFinished);
    await new Promise((resolve) => setImmediate(resolve));
    expect(outcome.artifacts).toEqual([]);
    files.fixture.conversation.before = () => undefined;
    commit();
    await outcome.over;
    expect(outcome.artifacts).toHaveLength(1);
  });

  it('is recorded with a turn that its client left', async () => {
    files.script.makes = [PICTURE];
    files.script.conversations.text = undefined;
    const outcome = files.client.open(turnRequest('draw'));
    await waitFor(() => outcome.artifacts.length === 1 && outcome.text === 'part');
    outcome.call?.cancel();
    const turn = await waitFor(() => findTurn(files.fixture, outcome.accepted?.conversationId));
    await waitFor(() => turn.end);
    expect(turn.end).toMatchObject({ status: 'interrupted', artifacts: outcome.artifacts });
  });

  it('is bounded', async () => {
    files.script.makes = Array.from({ length: 40 }, (_, n) => ({ ...TABLE, id: `sa_${n}` }));
    const outcome = await files.client.turn('make it all');
    expect(outcome.error).toBeUndefined();
    expect(outcome.artifacts).toHaveLength(32);
  });

  describe('fetched', () => {
    const fetch = (caller = files.client.caller, reference = 'sa_1', signal?: AbortSignal) =>
      files.running.stub.fetchArtifact(
        { connectionId: files.connection.id, reference },
        { caller, deadlineMs: 20_000, ...(signal && { signal }) },
      );
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

    it('comes in pieces of 64 KiB at most, also for the fixture itself', async () => {
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
      files.script.artifacts.set('sa_1', ({ res }) => {
        const headers = { 'content-type': 'image/png', 'content-length': String(bytes.length), 'x-file-name': 'heron.png' };
        res.writeHead(200, headers).end(bytes);
      });
      for (const caller of [files.client.caller, { ...SYSTEM_CALLER, workspaceId: files.client.caller.workspaceId }]) {
        const { head, chunks } = await read(fetch(caller));
        expect(head).toEqual({ fileName: 'heron.png', mimeType: 'image/png', sizeBytes: bytes.length });
        expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
        expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
      }
    });

    it('does not come faster than it is read', async () => {
      let sent = 0;
      const piece = Buffer.alloc(1024 * 1024);
      files.script.artifacts.set('sa_1', async ({ res }) => {
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
      await waitUntilStable(() => sent, { everyMs: 300 });
      expect(sent).toBeLessThan(50);
      await frames.return?.();
      await waitFor(() => files.fixture.upstream.received.find(({ path }) => path.endsWith('sa_1'))?.isClosed);
    });

    it.each([
      [404, 'artifact_not_found', 'ASSET_NOT_FOUND'],
      [409, 'artifact_not_ready', 'ASSET_NOT_READY'],
      [500, 'broken', 'PROVIDER_BAD_ANSWER'],
    ])('is refused: %i %s is %s, and says nothing of the account', async (status, code, condition) => {
      files.script.intercept = (received) => refuse(received, status, code);
      for (let n = 0; n < 6; n++) await expect(read(fetch())).rejects.toMatchObject({ condition });
      await expect(files.view()).resolves.toMatchObject({ status: 'active' });
    });

    it('reports an expired session', async () => {
      files.script.conversations.sessions.clear();
      await expect(read(fetch())).rejects.toMatchObject({ condition: 'ACCOUNT_REAUTH_REQUIRED' });
      await expect(files.view()).resolves.toMatchObject({ status: 'expired' });
    });

    it('is cut off where the upstream is', async () => {
      files.script.artifacts.set('sa_1', ({ res }) => {
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
      files.script.conversations.refusal = { status: 403, code: 'image_generation_unavailable' };
      await expect(files.client.refusal()).resolves.toBe('IMAGE_GENERATION_UNAVAILABLE');
      files.script.conversations.refusal = undefined;
    });

    it('is shown by every replica, and removed with the next picture', async () => {
      const other = await files.fixture.start({ listen });
      await expect(files.view()).resolves.toMatchObject({ status: 'active', refused: ['images'] });
      await waitFor(async () => (await files.view(other))?.refused[0] === 'images');
      await expect(files.client.refusal()).resolves.toBe('');
      await expect(files.view()).resolves.toMatchObject({ refused: ['images'] });
      files.script.makes = [TABLE];
      await files.client.turn('make');
      await expect(files.view()).resolves.toMatchObject({ refused: ['images'] });
      files.script.makes = [PICTURE];
      await files.client.turn('draw');
      await expect(files.view()).resolves.toMatchObject({ refused: [] });
      await waitFor(async () => (await files.view(other))?.refused.length === 0);
      await other.stop();
    });

    it.each([
      ['tested', () => files.running.stub.testConnection({ id: files.connection.id }, { caller: files.client.caller, deadlineMs: 20_000 })],
      [
        'reconnected',
        () =>
          files.running.stub.updateConnection(
            { id: files.connection.id, secret: 'right' },
            { caller: files.client.caller, deadlineMs: 20_000 },
          ),
      ],
    ])('that is forgotten when the connection is %s', async (_name, act) => {
      await act();
      await expect(files.view()).resolves.toMatchObject({ refused: [] });
    });
  });
});
