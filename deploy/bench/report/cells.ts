import { type Spread } from '../measure/statistics.ts';
import { type Window } from '../results.ts';
import { SUSTAINED_SECONDS } from '../run/settings.ts';

/** A cell without a figure. */
export const NOTHING = '–';

/** Formats a number, or the sign for none. */
export function figure(value: number | undefined, digits = 0): string {
  if (value === undefined || !Number.isFinite(value)) return NOTHING;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Smallest to largest. */
export function range(spread: Spread | undefined, digits = 0): string {
  return spread ? `${figure(spread.min, digits)}–${figure(spread.max, digits)}` : NOTHING;
}

/** A ratio such as 2.41. */
export function times(value: number | undefined): string {
  return value !== undefined && value >= 10 ? figure(value, 1) : figure(value, 2);
}

/** What a reader must know about a target's windows: who bound them, noise, failures. */
export function remarks(windows: readonly Window[]): string {
  const notes: string[] = [];
  const count = (test: (window: Window) => boolean): string => `${windows.filter(test).length} of ${windows.length}`;
  if (windows.some(isMockBound)) notes.push(`bound by the mock (${count(isMockBound)})`);
  if (windows.some(isShort)) notes.push(`not sustained: windows shorter than ${SUSTAINED_SECONDS} s`);
  if (windows.some(putsOff)) notes.push(`puts work off (${count(putsOff)})`);
  if (windows.some((window) => window.noisy)) notes.push(`noisy (${count((window) => window.noisy)})`);
  const failures = new Map<string, number>();
  for (const window of windows)
    for (const [reason, n] of Object.entries(window.failures)) failures.set(reason, (failures.get(reason) ?? 0) + n);
  if (failures.size > 0) notes.push(`FAILED: ${[...failures].map(([reason, n]) => `${n} × ${reason}`).join(', ')}`);
  return notes.join('; ');
}

function isMockBound(window: Window): boolean {
  return 'mockBound' in window && window.mockBound;
}

function isShort(window: Window): boolean {
  return 'mockBound' in window && window.putOff !== undefined && window.seconds < 0.9 * SUSTAINED_SECONDS;
}

function putsOff(window: Window): boolean {
  return 'mockBound' in window && window.putOff?.grown === true;
}
