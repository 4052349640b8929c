// Synthesizes and encodes speech in a child process. Plain JavaScript: sources and dist start the same file.

/** @type {Record<string, () => Promise<{ run: (task: never) => Promise<object> }>>} */
const TASKS = {
  flite: () => import('./flite.mjs'),
  encode: () => import('./encode.mjs'),
};

/** @param {{ name: string, task: never }} message */
async function handle({ name, task }) {
  try {
    const { run } = await TASKS[name]();
    process.send?.({ result: await run(task) });
  } catch (error) {
    process.send?.({ error: String(error) });
  }
}

process.on('message', (/** @type {Parameters<typeof handle>[0]} */ message) => void handle(message));

// The parent process has exited.
process.on('disconnect', () => process.exit());
