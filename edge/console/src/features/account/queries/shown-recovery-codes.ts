import { useSyncExternalStore } from 'react';

// In memory only. Not in a component: with the first factor of who owes one, everything around the screen changes.
let shown: readonly string[] | undefined;
const listeners = new Set<() => void>();

/** Shows new recovery codes; undefined hides them. */
export function showRecoveryCodes(codes: readonly string[] | undefined): void {
  shown = codes;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Returns the recovery codes that are shown; undefined when there are none. */
export function useShownRecoveryCodes(): readonly string[] | undefined {
  return useSyncExternalStore(subscribe, () => shown);
}
