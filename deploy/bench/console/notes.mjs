// What a page of the console notes of itself, for `page.ts`: runs in the page before its own scripts.
const notes = {
  /** When the heading was there and nothing was being loaded, in ms since the navigation began. */
  shownMs: undefined,
  eventMs: 0,
  taskMs: 0,
  /** Resolves when the page has loaded nothing and had no long task for so many milliseconds: events and tasks are told late. */
  quiet: (ms) =>
    new Promise((resolve) => {
      let timer = setTimeout(resolve, ms);
      const again = () => {
        clearTimeout(timer);
        timer = setTimeout(resolve, ms);
      };
      new PerformanceObserver(again).observe({ entryTypes: ['longtask', 'resource'] });
    }),
};
globalThis.parleyNotes = notes;

new MutationObserver(() => {
  const isShown = document.querySelector('h1') !== null && document.querySelector('[role=status][aria-label="Loading"]') === null;
  if (isShown && notes.shownMs === undefined) requestAnimationFrame(() => (notes.shownMs ??= performance.now()));
}).observe(document, { childList: true, subtree: true });

const noteLongest = (name, options) =>
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) notes[name] = Math.max(notes[name], duration);
  }).observe(options);
noteLongest('eventMs', { type: 'event', durationThreshold: 16 });
noteLongest('taskMs', { type: 'longtask' });
