import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakePocketsphinx } from '../../../test/fake-pocketsphinx.ts';
import { findPocketsphinx } from './find-pocketsphinx.ts';
import { PocketsphinxEngine } from './pocketsphinx-engine.ts';

const NEVER = new AbortController().signal;
const TYPE = { format: 'wav', mimeType: 'audio/wav', extension: 'wav' } as const;

describe('PocketsphinxEngine', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-sphinx-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function engine(script: string): Promise<PocketsphinxEngine> {
    return new PocketsphinxEngine({ location: await fakePocketsphinx(folder, script), models: undefined, path: '' });
  }
  const input = () => ({ path: '', type: TYPE, pcmPath: join(folder, "it's $(touch x).raw"), language: '', wantsTimes: false });

  it('gives what the program prints as one text, and hands it names as they are', async () => {
    const found = await engine(`printf 'hello there\\n\\n%s\\nin %s\\n' "$1 $2" "$LD_LIBRARY_PATH"; [ -z "$HOME$PATH_TO_SECRETS" ]`);
    const { text, language, model } = await found.transcribe(input(), NEVER);
    const libraries = join(folder, 'usr/lib/somewhere');
    expect({ text, language, model }).toEqual({
      text: `hello there -infile ${input().pcmPath} in ${libraries}`,
      language: 'en',
      model: 'pocketsphinx-en-us',
    });
  });

  it('requests times on demand, and reads them', async () => {
    const lines = ['hello there', '<s> 0.000 0.120 1.000200', 'hello 0.130 0.390 0.952366', 'there(2) 0.400 0.810 0.642331'];
    const found = await engine(`case "$*" in *'-time yes'*) printf '%s\\n' '${lines.join("' '")}';; esac`);
    await expect(found.transcribe({ ...input(), wantsTimes: true }, NEVER)).resolves.toMatchObject({
      text: 'hello there',
      segments: [{ text: 'hello there', startSeconds: 0.13, endSeconds: 0.81 }],
      words: [{ text: 'hello' }, { text: 'there' }],
    });
    await expect(found.transcribe(input(), NEVER)).resolves.toMatchObject({ text: '', segments: [], words: [] });
  });

  it.each([
    ['that fails', 'echo half a sentence; exit 3'],
    ['that crashes', 'kill -SEGV $$'],
    ['that never stops talking', 'while :; do echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; done'],
  ])('fails with a program %s', async (_name, script) => {
    const found = await engine(script);
    await expect(found.transcribe(input(), NEVER)).rejects.toMatchObject({ condition: 'TRANSCRIPTION_FAILED' });
    await expect(found.findInstallation()).resolves.toBeDefined();
  });

  it('stops the program when the signal aborts', async () => {
    const found = await engine(`echo $$ > '${folder}/pid'; while :; do :; done`);
    const abort = new AbortController();
    const hearing = found.transcribe(input(), abort.signal);
    hearing.catch(() => undefined);
    const pid = await waitFor(async () => Number(await readFile(join(folder, 'pid'), 'utf8')));
    abort.abort(new Error('left'));
    await expect(hearing).rejects.toThrow('left');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(found.findInstallation()).resolves.toBeDefined();
  });

  it.each(['', 'en'])('takes %p as its language', async (language) => {
    expect(() => new PocketsphinxEngine({ location: '', models: '', path: '' }).requireLanguage(language)).not.toThrow();
  });

  it('names what is possible for other languages', () => {
    const refusal = { condition: 'VALIDATION_ERROR', param: 'language', message: expect.stringContaining('openai-transcription') };
    const missing = new PocketsphinxEngine({ location: undefined, models: undefined, path: '' });
    expect(() => missing.requireLanguage('de')).toThrow(expect.objectContaining(refusal));
  });

  it('is disabled while it is missing', async () => {
    const missing = new PocketsphinxEngine({ location: join(folder, 'nowhere'), models: undefined, path: '' });
    await expect(missing.findInstallation()).resolves.toBeUndefined();
    await expect(missing.transcribe(input(), NEVER)).rejects.toMatchObject({ condition: 'TRANSCRIPTION_DISABLED' });
  });

  it('is found on PATH, with the libraries of the system', async () => {
    await fakePocketsphinx(folder, '');
    const found = await findPocketsphinx({ location: undefined, models: undefined, path: `relative:${join(folder, 'usr/bin')}` });
    expect(found).toMatchObject({ program: join(folder, 'usr/bin/pocketsphinx_continuous'), libraries: [] });
  });

  it('passes over one without its models', async () => {
    await fakePocketsphinx(folder, '');
    await rm(join(folder, 'usr/share/pocketsphinx/model/en-us/en-us.lm.bin'));
    await expect(findPocketsphinx({ location: folder, models: undefined, path: '' })).resolves.toBeUndefined();
  });
});
