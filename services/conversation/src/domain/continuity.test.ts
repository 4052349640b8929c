import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CONTINUITY_STATUSES, type ContinuityStatus, RECOVERABLE_STATUSES, isContinuityStatus, mergeContinuity } from './continuity.ts';

const LOST = CONTINUITY_STATUSES.filter((status) => status !== 'available' && !RECOVERABLE_STATUSES.includes(status));
type Step = { reported: ContinuityStatus } | 'recovered';
const steps = fc.array(fc.oneof(fc.record({ reported: fc.constantFrom(...CONTINUITY_STATUSES) }), fc.constant('recovered' as const)));
/** The recovery of a connection, which a statement of the store makes. */
const toRecovered = (status: ContinuityStatus) => (RECOVERABLE_STATUSES.includes(status) ? ('available' as const) : status);
const after = (status: ContinuityStatus, step: Step) =>
  step === 'recovered' ? toRecovered(status) : mergeContinuity(status, step.reported);
const run = (all: readonly Step[]) => all.reduce<ContinuityStatus>(after, 'available');

describe('the continuity of a conversation', () => {
  it('is always a known status', () => {
    fc.assert(fc.property(steps, (all) => expect(isContinuityStatus(run(all))).toBe(true)));
    expect(isContinuityStatus('fine')).toBe(false);
  });

  it('is available after every sync', () => {
    fc.assert(fc.property(steps, (all) => expect(run([...all, { reported: 'available' }])).toBe('available')));
  });

  it('is the newest status of the conversation itself since the last sync', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const reported = all.flatMap((step) => (step === 'recovered' ? [] : [step.reported]));
        const newest = reported.slice(reported.lastIndexOf('available') + 1).findLast((status) => LOST.includes(status));
        if (newest) expect(run(all)).toBe(newest);
        else expect(LOST).not.toContain(run(all));
      }),
    );
  });

  it('loses only statuses of the connection when that recovers', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const before = run(all);
        const then = run([...all, 'recovered']);
        expect(RECOVERABLE_STATUSES).not.toContain(then);
        if (!RECOVERABLE_STATUSES.includes(before)) expect(then).toBe(before);
      }),
    );
  });

  it('does not change when the same status is reported again', () => {
    fc.assert(
      fc.property(
        steps,
        fc.oneof(fc.record({ reported: fc.constantFrom(...CONTINUITY_STATUSES) }), fc.constant('recovered' as const)),
        (all, step) => {
          expect(run([...all, step, step])).toBe(run([...all, step]));
        },
      ),
    );
  });
});
