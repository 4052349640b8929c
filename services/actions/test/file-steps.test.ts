import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TextExtractor } from '@parley/file-content/extract';
import { type Asset } from '@parley/protos/asset/v1/asset';
import { type TranscribeRequest } from '@parley/protos/audio/v1/audio';
import { GatewayError } from '@parley/protos/errors';
import { type JsonValue } from '../src/domain/json.ts';
import { extractTextExecutor } from '../src/steps/extract-text.ts';
import { type InputFilesClient } from '../src/steps/open-input-file.ts';
import { transcribeExecutor } from '../src/steps/transcribe.ts';
import { actionInput, BAD_PAYLOAD, failureOf, RUN_ID, runStep, WORKSPACE_ID } from './step-fixture.ts';

describe('files', () => {
  let chunks: Buffer[];
  let head: Asset | undefined;
  let asked: unknown[];
  const inputs: InputFilesClient = {
    readActionInput: async function* (request) {
      asked.push(request);
      if (!head) throw new GatewayError('ASSET_INPUT_INVALID', 'gone');
      try {
        yield { frame: { $case: 'head', value: head } };
        for (const value of chunks) yield { frame: { $case: 'chunk', value } };
      } finally {
        released++;
      }
    },
  };
  let released: number;
  const extractor = new TextExtractor();
  const extract = extractTextExecutor(inputs, extractor);
  let received: TranscribeRequest[];
  const transcribe = transcribeExecutor(
    {
      transcribe: async (frames) => {
        for await (const frame of frames) received.push(frame);
        return { text: 'Hello.', language: 'en', durationSeconds: 1.5, model: 'm', jobId: 'j' };
      },
    },
    inputs,
  );
  beforeEach(() => {
    [head, asked, received] = [actionInput({}), [], []];
    released = 0;
    chunks = [Buffer.from('Hel'), Buffer.from('lo\0!')];
  });
  afterAll(() => extractor.close());

  it('are read, for this run', async () => {
    const body = { text: 'Hello!', truncated: false, omitted: '', file_name: 'note.txt', mime_type: 'text/plain', size_bytes: 5 };
    await expect(runStep(extract, { file: { asset_id: 'a1' } })).resolves.toMatchObject({ body });
    await expect(runStep(extract, { file: 'a1', max_characters: 3 })).resolves.toMatchObject({ body: { text: 'Hel', truncated: true } });
    expect(asked).toEqual([
      { assetId: 'a1', runId: RUN_ID },
      { assetId: 'a1', runId: RUN_ID },
    ]);
    chunks = [Buffer.from('ab🎈')];
    await expect(runStep(extract, { file: 'a1', max_characters: 3 })).resolves.toMatchObject({ body: { text: 'ab' } });
  });

  it('are read in the turn of the workspace whose run it is, and fail the step where they cost too much', async () => {
    const workspaces: string[] = [];
    const tooCostly = extractTextExecutor(inputs, {
      extract: async (_bytes, { workspaceId }) => {
        workspaces.push(workspaceId);
        throw new GatewayError('VALIDATION_ERROR', 'the file takes longer than 5000 ms to read');
      },
    });
    await expect(failureOf(tooCostly, { file: 'a1' })).resolves.toEqual({ condition: 'VALIDATION_ERROR', effect: 'none' });
    expect(workspaces).toEqual([WORKSPACE_ID]);
  });

  it('are transcribed', async () => {
    await expect(runStep(transcribe, { file: { asset_id: 'a1' }, language: 'en' })).resolves.toMatchObject({
      body: { text: 'Hello.', language: 'en', duration_seconds: 1.5, model: 'm' },
    });
    expect(received[0]).toMatchObject({
      frame: { $case: 'head', value: { fileName: 'note.txt', declaredType: 'text/plain', language: 'en' } },
    });
    expect(Buffer.concat(received.slice(1).map(({ frame }) => frame?.value as Buffer)).toString()).toBe('Hello\0!');
  });

  it.each<JsonValue | undefined>([
    undefined,
    {},
    { file: 1 },
    { file: {} },
    { file: '' },
    { file: 'a1', max_characters: 0 },
    { file: 'a1', max_characters: 1.5 },
  ])('are not requested with the payload %j', async (payload) => {
    await expect(failureOf(extract, payload)).resolves.toEqual(BAD_PAYLOAD);
    expect(asked).toEqual([]);
  });

  it('that are gone or too large fail the step', async () => {
    head = undefined;
    for (const executor of [extract, transcribe]) {
      await expect(failureOf(executor, { file: 'a1' })).resolves.toEqual({ condition: 'ASSET_INPUT_INVALID', effect: 'none' });
    }
    head = actionInput({ sizeBytes: 33 * 1_024 ** 2 });
    await expect(failureOf(extract, { file: 'a1' })).resolves.toEqual({ condition: 'ASSET_INPUT_INVALID', effect: 'none' });
    // The upload does not continue.
    expect(released).toBe(1);
  });
});
