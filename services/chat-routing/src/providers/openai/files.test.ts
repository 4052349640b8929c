import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { beforeEachOnOfficialStage, type OfficialStage, stateOf } from '../../../test/official-stage.ts';
import { json } from '../../../test/openai-api/server.ts';
import { type OutgoingFile } from '../file-operations.ts';
import { type TurnFile } from '../upstream-turn.ts';

const never = new AbortController().signal;
const SECRET = 'The code word is heron.';

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

describe('files at the official API', () => {
  let stage: OfficialStage;
  beforeEachOnOfficialStage((entered) => (stage = entered));
  const upload = async (over: Partial<OutgoingFile> = {}) => {
    const file = {
      workspaceId: 'w',
      name: 'größe "1".txt',
      mimeType: 'text/plain',
      size: SECRET.length,
      bytes: pieces('The code ', 'word is heron.'),
      signal: never,
    };
    return (await stage.provider.files?.upload(stage.connection, { ...file, ...over }))?.upstreamRef ?? '';
  };
  const attached = (upstreamRef: string, mimeType = 'text/plain'): TurnFile => ({
    ...{ fileId: `file of ${upstreamRef}`, name: 'a', mimeType, sizeBytes: 1, upstreamRef },
    prepared: () => Promise.reject(new Error('the API reads files itself')),
  });

  it('are streamed with their names and types, and sent with the message they belong to', async () => {
    const id = await upload();
    expect(stage.api.store.files.get(id)).toMatchObject({
      filename: 'größe "1".txt',
      purpose: 'user_data',
      content: Buffer.from(SECRET),
    });
    expect(stage.api.callsTo('POST', '/files')[0]?.headers['content-length']).toBe(
      String(stage.api.callsTo('POST', '/files')[0]?.bytes.length),
    );
    const sink = await stage.run('what is the code word?', { files: [attached(id)] });
    expect(sink.text).toBe('The code word is heron.');
    // What was attached once belongs to the conversation.
    expect((await stage.run('and the code word?', { upstreamState: stateOf(sink) })).text).toBe('The code word is heron.');
  });

  it('that are pictures are sent as such', async () => {
    const id = await upload({ mimeType: 'image/png' });
    expect(stage.api.store.files.get(id)?.purpose).toBe('vision');
    expect((await stage.run('what is in the picture?', { files: [attached(id, 'image/png')] })).text).toBe('I see 1 image.');
  });

  it('of earlier messages come along where a conversation begins with them', async () => {
    const file = attached(await upload());
    const said = { fileId: file.fileId, assetId: '', fileName: 'a', mimeType: 'text/plain' };
    const earlier = { id: '1', role: 'user', text: 'look', parts: [], status: 'completed', files: [said, { ...said, fileId: 'gone' }] };
    const sink = await stage.run('what is the code word?', {
      history: async () => [earlier],
      earlierFiles: async (ids) => new Map(ids.includes(file.fileId) ? [[file.fileId, file]] : []),
    });
    expect(sink.text).toBe('The code word is heron.');
  });

  it('are removed, and those that are gone are no error', async () => {
    const id = await upload();
    await stage.provider.files?.remove(stage.connection, id);
    expect(stage.api.store.files.size).toBe(0);
    await stage.provider.files?.remove(stage.connection, id);
  });

  it.each([
    [401, 'ACCOUNT_REAUTH_REQUIRED'],
    [403, 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED'],
    [429, 'PROVIDER_RATE_LIMITED'],
    [500, 'PROVIDER_BAD_ANSWER'],
  ])('%i is %s', async (status, condition) => {
    stage.api.intercept = (_call, res) => (json(res, status, { error: { message: 'secret words', code: null } }), true);
    await expect(upload()).rejects.toMatchObject({ condition });
    const removing = stage.provider.files?.remove(stage.connection, 'file_1');
    await expect(removing).rejects.toMatchObject({ condition });
    await expect(removing).rejects.not.toThrow(/secret/);
  });

  it.each([
    ['garbage', 'garbage'],
    ['nothing', '{}'],
  ])('are not there when the API says %s', async (_name, body) => {
    stage.api.intercept = (_call, res) => (res.end(body), true);
    await expect(upload()).rejects.toMatchObject({ condition: 'PROVIDER_BAD_ANSWER' });
  });

  it('fail with what their source failed with', async () => {
    const failure = new GatewayError('VALIDATION_ERROR', 'not the file');
    const bytes = (async function* () {
      yield Buffer.from('The');
      throw failure;
    })();
    await expect(upload({ bytes })).rejects.toBe(failure);
  });

  describe('that it made', () => {
    const fetch = async (reference: string, signal = never) => {
      const file = await stage.provider.files?.fetch?.(stage.connection, reference, signal);
      if (!file) throw new Error('nothing is made');
      const chunks: Uint8Array[] = [];
      for await (const chunk of file.bytes) chunks.push(chunk);
      return { ...file, bytes: Buffer.concat(chunks) };
    };

    it('are images, reported in their order and fetched from the stored answer', async () => {
      const sink = await stage.run('draw a circle and a circle');
      expect(sink).toMatchObject({ text: 'Here is the image.', artifacts: [{ kind: 'image', mimeType: 'image/webp' }, { kind: 'image' }] });
      const { bytes, size } = await fetch(sink.artifacts[0]?.reference ?? '');
      expect(bytes.subarray(0, 4).toString()).toBe('RIFF');
      expect(size).toBe(bytes.length);
    });

    it('are files that code wrote, each reported once', async () => {
      const sink = await stage.run('make a csv of the planets');
      expect(sink.artifacts).toMatchObject([{ kind: 'file', name: 'planets.csv', mimeType: 'text/csv' }]);
      expect((await fetch(sink.artifacts[0]?.reference ?? '')).bytes.toString()).toContain('Earth,1');
    });

    it('are awaited while their answer is being made, and gone with it', async () => {
      const { artifacts } = await stage.run('draw a circle');
      const reference = artifacts[0]?.reference ?? '';
      const kept = [...stage.api.store.responses.values()][0]?.response;
      if (kept) Object.assign(kept, { status: 'in_progress', output: [] });
      await expect(fetch(reference)).rejects.toMatchObject({ condition: 'ASSET_NOT_READY' });
      if (kept) Object.assign(kept, { status: 'completed' });
      await expect(fetch(reference)).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
      stage.api.store.responses.clear();
      await expect(fetch(reference)).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
    });

    it('are gone with their container', async () => {
      const { artifacts } = await stage.run('make a csv of the planets');
      stage.api.store.containers.clear();
      await expect(fetch(artifacts[0]?.reference ?? '')).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
    });

    it.each(['', 'image:', 'image:a', 'soup:a:b', 'image:a:b:c'])('are not at %j', async (reference) => {
      await expect(fetch(reference)).rejects.toMatchObject({ condition: 'ASSET_NOT_FOUND' });
      expect(stage.api.calls).toEqual([]);
    });

    it('are given up when the caller is gone', async () => {
      stage.api.intercept = () => true;
      const reason = new GatewayError('CANCELLED', 'gone');
      await expect(fetch('image:resp_1:ig_1', AbortSignal.abort(reason))).rejects.toMatchObject({ condition: 'CANCELLED' });
    });
  });
});
