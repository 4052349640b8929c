// Speaks and encodes in a process of its own. Plain JavaScript: sources and dist start the same file.

/** @type {Record<string, () => Promise<{ run: (task: never) => Promise<object> }>>} */
const TASKS = {
  flite: () => import('./flite.mjs'),
  encode: () => import('./encode.mjs'),
};

process.on('message', async (/** @type {{ name: string, task: never }} */ { name, task }) => {
  try {
    const { run } = await TASKS[name]();
    process.send?.({ result: await run(task) });
  } catch (error) {
    process.send?.({ error: String(error) });
  }
});

// Whoever wanted the speech is gone.
process.on('disconnect', () => process.exit());
