import { type GatewayStatus } from '../queries/gateway.ts';

/** The finding of one readiness check, as `npx parley doctor` shows it. */
export interface HealthFinding {
  name: string;
  state: 'ok' | 'warning' | 'failed';
  /** Milliseconds that its check took. */
  ms: number | undefined;
  /** The detail that the check reports. */
  detail: string | undefined;
  /** What to do about it; the texts have the words. */
  advice: 'database' | 'broker' | 'part' | 'draining' | 'notReady' | undefined;
}

/** Returns a finding for each readiness check. One that fails while the gateway is ready is only a warning. */
export function toHealthFindings({ readiness: { status, checks } }: Pick<GatewayStatus, 'readiness'>): HealthFinding[] {
  const parts = Object.entries(checks).map(([name, { ok, ms, detail }]): HealthFinding => ({
    ...{ name, ms, detail },
    state: ok ? 'ok' : status === 'ready' ? 'warning' : 'failed',
    advice: ok ? undefined : name === 'database' || name === 'broker' ? name : 'part',
  }));
  if (status === 'ready') return parts;
  const advice = status === 'draining' ? 'draining' : 'notReady';
  return [{ name: 'readiness', state: 'failed', ms: undefined, detail: undefined, advice }, ...parts];
}

/** Summarizes all findings in one word. */
export function summarizeHealth(findings: readonly HealthFinding[]): 'well' | 'warned' | 'wrong' {
  if (findings.some(({ state }) => state === 'failed')) return 'wrong';
  return findings.some(({ state }) => state === 'warning') ? 'warned' : 'well';
}
