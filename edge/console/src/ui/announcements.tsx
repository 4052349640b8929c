import { useEffect, useState, useSyncExternalStore } from 'react';
import { announcements } from './announcer.ts';

const SHOWN_MS = 4000;

/** The one live region of the console: what `announce` says is read aloud, and shown for a moment. */
export function Announcements() {
  const { text, count } = useSyncExternalStore(announcements.subscribe, announcements.latest);
  const [hidden, setHidden] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setHidden(count), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [count]);
  const isShown = text !== '' && hidden < count;
  return (
    <div role="status" aria-live="polite" className="pointer-events-none fixed inset-x-0 bottom-4 z-60 flex justify-center px-4">
      {isShown && <p className="rounded-lg border bg-raised px-4 py-2 text-sm shadow-lg">{text}</p>}
    </div>
  );
}
