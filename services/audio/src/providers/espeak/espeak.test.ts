import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeEspeak } from '../../../test/fake-espeak.ts';
import { newCaller, SILENT } from '../../../test/fixture.ts';
import { parseProviderOptions } from '../../domain/provider-options.ts';
import { AdmissionQueue } from '../../engines/admission-queue.ts';
import { findEspeak } from './find-espeak.ts';
import { espeakProvider } from './provider.ts';

const NEVER = new AbortController().signal;
/** Takes its text, and answers with the recording. */
const SPEAKS = 'printf "%s\\n" "$@" > "$0.args"; /bin/cat >> "$0.text"; exec /bin/cat "$0.wav"';

describe('the espeak of this machine', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-espeak-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function provider(script: string) {
    const found = await findEspeak({ espeak: await fakeEspeak(folder, script), path: '' }, SILENT);
    if (!found) throw new Error('it was not found');
    return espeakProvider(found, new AdmissionQueue({ maxRunning: 1, maxRunningPerWorkspace: 1 }));
  }
  const request = (part = {}) => ({
    input: 'Hello $(touch x) -w y',
    voice: 'en-us',
    model: '',
    language: '',
    speed: 1,
    options: {},
    ...part,
  });
  const context = (part = {}) => ({ caller: newCaller(), signal: NEVER, onProgress: () => undefined, ...part });
  const written = (name: string) => readFile(join(folder, `espeak-ng.${name}`), 'utf8');

  it('offers a voice for each language, English first', async () => {
    const found = await provider('');
    const voices = await found.voices(newCaller(), NEVER);
    expect(voices.map(({ id, language, dialect, gender }) => [id, language, dialect, gender])).toEqual([
      ['en-us', 'en', 'en-US', 'male'],
      ['en-gb-scotland', 'en', 'en-GB-scotland', 'female'],
      ['en-us-nyc', 'en', 'en-us-nyc', 'neutral'],
      ['af', 'af', '', 'male'],
      ['yue', 'yue', '', 'male'],
    ]);
    expect(found.languages).toEqual(['en', 'af', 'yue']);
    expect(voices[0]).toMatchObject({ name: 'English (America)', sampleRate: 22_050 });
  });

  it('hands the text over where no other account can read it', async () => {
    const { pcm, sampleRate } = await (await provider(SPEAKS)).speak(request(), context());
    expect([Buffer.concat(pcm).length, sampleRate]).toEqual([4_410, 22_050]);
    expect(await written('text')).toBe(request().input);
    expect((await written('args')).split('\n')).toEqual(['--stdin', '--stdout', '-b', '1', '-v', 'en-us', '-s', '175', '']);
  });

  it.each([
    [{ options: { rate: 300, pitch: 0 } }, '-s 300 -p 0'],
    [{ speed: 2 }, '-s 350'],
    [{ speed: 4 }, '-s 450'],
    [{ speed: 0.25 }, '-s 80'],
  ])('passes settings as arguments: %j', async (part, args) => {
    await (await provider(SPEAKS)).speak(request(part), context());
    expect((await written('args')).trim().replaceAll('\n', ' ')).toBe(`--stdin --stdout -b 1 -v en-us ${args}`);
  });

  it.each([
    ['{"rate":79}', 'provider_options.rate'],
    ['{"rate":200.5}', 'provider_options.rate'],
    ['{"pitch":100}', 'provider_options.pitch'],
    ['{"voice":"x"}', 'provider_options'],
  ])('takes no option like %s', async (json, param) => {
    const { options } = await provider('');
    expect(() => parseProviderOptions(options, json)).toThrow(expect.objectContaining({ condition: 'VALIDATION_ERROR', param }));
  });

  it('speaks a long text in passages, and reports progress', async () => {
    const input = 'One sentence of some length. '.repeat(30).trim();
    const progress: number[] = [];
    const { pcm } = await (
      await provider(SPEAKS)
    ).speak(request({ input }), context({ onProgress: (done: number) => progress.push(done) }));
    expect(pcm).toHaveLength(3);
    expect((await written('text')).replaceAll(' ', '')).toBe(input.replaceAll(' ', ''));
    expect(progress).toHaveLength(3);
    expect(progress.at(-1)).toBeGreaterThan(0.98);
  });

  it('runs as many at once as it may', async () => {
    const one = await provider(`/bin/mkdir "$0.lock" || exit 7; ${SPEAKS.replace('exec ', '')}; /bin/rmdir "$0.lock"`);
    await expect(Promise.all([1, 2, 3].map(() => one.speak(request(), context())))).resolves.toHaveLength(3);
  });

  it.each([
    ['that fails', '/bin/cat "$0.wav"; exit 3'],
    ['that crashes', 'kill -SEGV $$'],
    ['that says nothing', 'exit 0'],
    ['that prints no recording', 'echo RIFF or not'],
    ['that never ends', 'exec /bin/cat /dev/zero'],
  ])('fails with a program %s', async (_name, script) => {
    await expect((await provider(script)).speak(request(), context())).rejects.toMatchObject({ condition: 'PROVIDER_BAD_ANSWER' });
  });

  it('is unavailable once the program has been removed', async () => {
    const one = await provider(SPEAKS);
    await rm(join(folder, 'espeak-ng'));
    await expect(one.speak(request(), context())).rejects.toMatchObject({ condition: 'PROVIDER_UNAVAILABLE' });
  });

  it('stops the program when the signal aborts', async () => {
    const one = await provider('echo $$ > "$0.pid"; while :; do :; done');
    const abort = new AbortController();
    const speaking = one.speak(request(), context({ signal: abort.signal }));
    speaking.catch(() => undefined);
    const pid = await waitFor(async () => Number(await written('pid')));
    abort.abort(new Error('left'));
    await expect(speaking).rejects.toThrow('left');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

describe('findEspeak', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-espeak-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('takes the one on PATH, unless there is to be none', async () => {
    const program = await fakeEspeak(folder, '');
    await expect(findEspeak({ espeak: 'auto', path: `relative:${folder}` }, SILENT)).resolves.toMatchObject({ program });
    await expect(findEspeak({ espeak: 'none', path: folder }, SILENT)).resolves.toBeUndefined();
    await expect(findEspeak({ espeak: 'auto', path: '' }, SILENT)).resolves.toBeUndefined();
    await expect(findEspeak({ espeak: join(folder, 'nowhere'), path: folder }, SILENT)).resolves.toBeUndefined();
  });

  it('passes over one that has no voices, or does not run', async () => {
    await fakeEspeak(folder, '', 'Pty Language\n');
    await expect(findEspeak({ espeak: 'auto', path: folder }, SILENT)).resolves.toBeUndefined();
    await rm(join(folder, 'espeak-ng.voices'));
    await expect(findEspeak({ espeak: 'auto', path: folder }, SILENT)).resolves.toBeUndefined();
  });
});
