// Reads files away from the event loop that carries streams. Plain JavaScript: sources and dist start the same file.
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => {
  parentPort?.postMessage({ text: '', omitted: 'Files of this type cannot be read yet.' });
});
