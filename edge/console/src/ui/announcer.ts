type Listener = () => void;

const listeners = new Set<Listener>();
let latest = { text: '', count: 0 };

/** Says something to screen readers, politely, and shows it for a moment. */
export function announce(text: string): void {
  latest = { text, count: latest.count + 1 };
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`. */
export const announcements = {
  subscribe: (listener: Listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  latest: () => latest,
};
