import { type Finding } from './finding.ts';

const TOLERATED_MS = 5_000;

/** Whether this machine and the gateway agree on the time: keys expire by the gateway's clock, and logs are compared by both. */
export function checkClock(date: string | null, now: number): Finding {
  const name = 'clock';
  const theirs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(theirs)) return { name, state: 'skipped', detail: 'the gateway did not say what time it is' };
  const seconds = Math.round(Math.abs(now - theirs) / 1_000);
  if (seconds * 1_000 <= TOLERATED_MS) return { name, state: 'ok', detail: 'agrees with the gateway' };
  const detail = `${seconds} s ${now > theirs ? 'ahead of' : 'behind'} the gateway`;
  return { name, state: 'warning', detail, advice: 'synchronise the clocks of both machines (NTP)' };
}
