// What a page of the console notes of itself, for `page.ts`: runs in the page before its own scripts.
let tellShown;
const isShown = new Promise((resolve) => (tellShown = resolve));

const notes = {
  /** Resolves with the moment at which the heading was there and nothing was being loaded, in ms since the navigation began. */
  shown: (withinMs) =>
    Promise.race([
      isShown,
      new Promise((_, reject) => setTimeout(() => reject(new Error(`the screen is not shown within ${withinMs} ms`)), withinMs)),
    ]),
  eventMs: 0,
  taskMs: 0,
  /** Resolves when the page has loaded nothing and had no long task for so many milliseconds: the browser reports events and tasks late. */
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
  const isWhole = document.querySelector('h1') !== null && document.querySelector('[role=status][aria-label="Loading"]') === null;
  if (isWhole) requestAnimationFrame(() => tellShown(performance.now()));
}).observe(document, { childList: true, subtree: true });

const noteLongest = (name, options) =>
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) notes[name] = Math.max(notes[name], duration);
  }).observe(options);
noteLongest('eventMs', { type: 'event', durationThreshold: 16 });
noteLongest('taskMs', { type: 'longtask' });
