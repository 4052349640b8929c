import { describe, expect, it } from '@jest/globals';
import { toHealthFindings, summarizeHealth } from './health-findings.ts';

const OK = { ok: true, ms: 3 };
const readiness = (status: 'ready' | 'not_ready' | 'draining', checks: Record<string, { ok: boolean; ms: number }>) =>
  toHealthFindings({ readiness: { status, checks } });

describe('what is found about the parts', () => {
  it('is well when all are', () => {
    expect(summarizeHealth(readiness('ready', { database: OK, broker: OK }))).toBe('well');
  });

  it('only warns of a part that the gateway can do without for a while', () => {
    const findings = readiness('ready', { database: OK, broker: { ok: false, ms: 5 } });
    expect(findings[1]).toMatchObject({ name: 'broker', state: 'warning', advice: 'broker' });
    expect(summarizeHealth(findings)).toBe('warned');
  });

  it('fails when the gateway takes no requests, and says which part to look at', () => {
    const findings = readiness('not_ready', { database: OK, audio: { ok: false, ms: 5 } });
    expect(findings.map(({ name, state, advice }) => [name, state, advice])).toEqual([
      ['readiness', 'failed', 'notReady'],
      ['database', 'ok', undefined],
      ['audio', 'failed', 'part'],
    ]);
    expect(summarizeHealth(findings)).toBe('wrong');
  });

  it('fails while the gateway stops, though every part is well', () => {
    expect(summarizeHealth(readiness('draining', { database: OK }))).toBe('wrong');
  });
});
