import { useSyncExternalStore } from 'react';

// In memory only. Not in a component: with the first factor of who owes one, everything around the screen changes.
let shown: readonly string[] | undefined;
const listeners = new Set<() => void>();

/** Shows new recovery codes, or ends it. */
export function showRecoveryCodes(codes: readonly string[] | undefined): void {
  shown = codes;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The recovery codes that the person has not kept yet. */
export function useShownRecoveryCodes(): readonly string[] | undefined {
  return useSyncExternalStore(subscribe, () => shown);
}
