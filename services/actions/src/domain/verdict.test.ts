import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RunLogEntry } from './run.ts';
import { type RunOutcome, toEffect, listWriteEffects, isHigherRisk, RISKS, toFinalStatus, decideVerdict } from './verdict.ts';
import { type Risk } from './workflow.ts';

const AT = new Date('2026-03-10T12:00:00.000Z');

const risk = fc.constantFrom<Risk>('read', 'write', 'irreversible');
const ending = fc.constantFrom<RunOutcome>('completed', 'failed', 'cancelled');
const entry: fc.Arbitrary<RunLogEntry> = fc
  .record({
    stepId: fc.constantFrom('a', 'b', 'c'),
    status: fc.constantFrom<RunLogEntry['status']>('started', 'succeeded', 'failed'),
    effect: fc.constantFrom<RunLogEntry['effect']>('none', 'applied', 'unknown'),
  })
  // A step has one risk, and one that reads changes nothing.
  .map(({ stepId, status, effect }) => {
    const own = stepId === 'a' ? 'read' : stepId === 'b' ? 'write' : 'irreversible';
    const times = { startedAt: AT, endedAt: status === 'started' ? null : AT };
    return { ...times, ordinal: 1, attempt: 1, stepId, risk: own, status, effect: own === 'read' ? 'none' : effect, outputs: '{}' };
  });
const runLog = fc.array(entry, { maxLength: 8 });

describe('the verdict', () => {
  it('is passed only for a run whose steps were done and whose writes are all certain and allowed to pass', () => {
    fc.assert(
      fc.property(ending, runLog, risk, (how, done, unreviewed) => {
        const effects = listWriteEffects(done);
        const certain = effects.every(({ outcome, risk: own }) => outcome === 'applied' && !isHigherRisk(own, unreviewed));
        expect(decideVerdict(how, effects, unreviewed) === 'passed').toBe(how === 'completed' && certain);
      }),
    );
  });

  it('is failed only when nothing was written, and then for every run that failed', () => {
    fc.assert(
      fc.property(ending, runLog, risk, (how, done, unreviewed) => {
        const nothing = done.every(({ effect }) => effect === 'none');
        expect(decideVerdict(how, listWriteEffects(done), unreviewed) === 'failed').toBe(how === 'failed' && nothing);
      }),
    );
  });

  it('never lets a write go unseen: whatever is not passed and may have written needs review', () => {
    fc.assert(
      fc.property(ending, runLog, risk, (how, done, unreviewed) => {
        const verdict = decideVerdict(how, listWriteEffects(done), unreviewed);
        const wrote = done.some(({ effect }) => effect !== 'none');
        if (wrote && verdict !== 'passed') expect(verdict).toBe('needs_review');
        if (verdict === '') expect([how, wrote]).toEqual(['cancelled', false]);
      }),
    );
  });

  it('goes with one status: success is nothing but passed, and who asked it to stop finds it cancelled', () => {
    fc.assert(
      fc.property(ending, runLog, risk, (how, done, unreviewed) => {
        const verdict = decideVerdict(how, listWriteEffects(done), unreviewed);
        const status = toFinalStatus(how, verdict);
        expect(status === 'cancelled').toBe(how === 'cancelled');
        expect(status === 'succeeded').toBe(how !== 'cancelled' && verdict === 'passed');
        expect(status === 'needs_review').toBe(how !== 'cancelled' && verdict === 'needs_review');
      }),
    );
  });
});

describe('effects', () => {
  it('are one for each step that may have written, applied as soon as one execution was', () => {
    fc.assert(
      fc.property(runLog, (done) => {
        const effects = listWriteEffects(done);
        const wrote = done.filter(({ effect }) => effect !== 'none');
        expect(effects.map(({ stepId }) => stepId).sort()).toEqual([...new Set(wrote.map(({ stepId }) => stepId))].sort());
        for (const { stepId, outcome } of effects) {
          const applied = wrote.some((one) => one.stepId === stepId && one.effect === 'applied');
          expect(outcome).toBe(applied ? 'applied' : 'unknown');
        }
      }),
    );
  });

  it.each([
    [200, 'applied'],
    [204, 'applied'],
    [303, 'unknown'],
    [400, 'none'],
    [429, 'none'],
    [500, 'unknown'],
  ] as const)('of an answer with the status %i: %s', (statusCode, effect) => {
    expect(RISKS.map((own) => toEffect(own, { statusCode }))).toEqual(['none', effect, effect]);
  });
});
