import { type GatewayStatus } from '../queries/gateway.ts';

/** What is found about one part, as `npx parley doctor` tells it. */
export interface HealthFinding {
  name: string;
  state: 'ok' | 'warning' | 'failed';
  /** Milliseconds that its check took. */
  ms: number | undefined;
  /** As the part says it. */
  detail: string | undefined;
  /** What to do about it; the texts have the words. */
  advice: 'database' | 'broker' | 'part' | 'draining' | 'notReady' | undefined;
}

/** How every part stands. One that fails while the gateway takes requests is one it can do without for a while. */
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

/** All of them in one word. */
export function summarizeHealth(findings: readonly HealthFinding[]): 'well' | 'warned' | 'wrong' {
  if (findings.some(({ state }) => state === 'failed')) return 'wrong';
  return findings.some(({ state }) => state === 'warning') ? 'warned' : 'well';
}
