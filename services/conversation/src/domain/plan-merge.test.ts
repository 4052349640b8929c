import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type LocalMessage, type LocalTurn, type UpstreamMessage } from './message-matcher.ts';
import { type MergePlan, planMerge } from './plan-merge.ts';
import { omitReplacedAnswers } from './replaced-answers.ts';

/** A record of turns that went well or failed, some of which repeat the one before, after an imported message. */
const histories = fc
  .array(fc.record({ status: fc.constantFrom('completed', 'failed'), repeats: fc.boolean() }), { maxLength: 4 })
  .map((given) => {
    const local: LocalMessage[] = [message('import', null, 0, 0, 'user')];
    const turns = given.map(({ status, repeats }, index): LocalTurn => {
      const sequence = index + 1;
      const messageCount = repeats && index > 0 ? 0 : 1;
      const id = `turn-${sequence}`;
      if (messageCount > 0) local.push(message(`q${sequence}`, id, sequence, 0, 'user'));
      local.push(message(`a${sequence}`, id, sequence, messageCount, 'assistant'));
      return { id, sequence, messageCount, status };
    });
    return { local, turns };
  });

function message(id: string, turnId: string | null, sequence: number, position: number, role: string): LocalMessage {
  return { id, turnId, ofTurn: turnId !== null, sequence, position, role, content: id, upstreamId: null, model: null, removed: false };
}

/** Branches of an upstream that holds some of the turns, and messages of its own: what a message is never changes, what it says may. */
const branches = fc
  .uniqueArray(fc.record({ number: fc.integer({ min: 0, max: 11 }), text: fc.constantFrom('', 'one', 'two') }), {
    maxLength: 8,
    selector: ({ number }) => number,
  })
  .map((all) =>
    all.map(({ number, text }): UpstreamMessage => {
      const role = number % 2 === 0 ? 'user' : 'assistant';
      const clientTurnId = ['', 'turn-1', 'turn-2', 'turn-3', 'elsewhere', ''][number >> 1] ?? '';
      return { upstreamId: `u${number}`, role, text, model: '', createdAt: undefined, clientTurnId };
    }),
  );

/** The record after a plan. */
function apply(local: readonly LocalMessage[], { changed, removedIds }: MergePlan): LocalMessage[] {
  const after = new Map(local.map((one) => [one.id, { ...one, removed: one.removed || removedIds.includes(one.id) }]));
  for (const { id, upstreamId, role, content, model, sequence, position } of changed) {
    const turnId = after.get(id)?.turnId ?? null;
    after.set(id, { id, turnId, ofTurn: turnId !== null, upstreamId, role, content, model, sequence, position, removed: false });
  }
  return [...after.values()].sort((a, b) => a.sequence - b.sequence || a.position - b.position);
}

let made = 0;
const newId = () => `new-${++made}`;
const plan = (local: readonly LocalMessage[], turns: readonly LocalTurn[], upstream: readonly UpstreamMessage[]) =>
  planMerge({ local, turns, upstream, lastSequence: 99, newId });
const shown = (local: readonly LocalMessage[]) => omitReplacedAnswers(local.filter(({ removed }) => !removed));

describe('merging', () => {
  it('the same messages twice changes nothing the second time', () => {
    fc.assert(
      fc.property(histories, branches, branches, ({ local, turns }, earlier, branch) => {
        const before = apply(local, plan(local, turns, earlier));
        const after = apply(before, plan(before, turns, branch));
        expect(plan(after, turns, branch)).toEqual({ changed: [], removedIds: [] });
      }),
      { numRuns: 1_000 },
    );
  });

  it('lists every message of the upstream under one id, with its text', () => {
    fc.assert(
      fc.property(histories, branches, branches, ({ local, turns }, earlier, branch) => {
        const before = apply(local, plan(local, turns, earlier));
        const after = apply(before, plan(before, turns, branch));
        const merged = shown(after).filter(({ upstreamId }) => upstreamId !== null);
        const texts = (all: readonly (readonly [string | null, string])[]) => [...all].map(([id, text]) => `${id}: ${text}`).sort();
        expect(texts(merged.map(({ upstreamId, content }) => [upstreamId, content]))).toEqual(
          texts(branch.map(({ upstreamId, text }) => [upstreamId, text])),
        );
        expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('never changes the id of a known message', () => {
    fc.assert(
      fc.property(histories, branches, branches, ({ local, turns }, branch, between) => {
        const first = apply(local, plan(local, turns, branch));
        const second = apply(first, plan(first, turns, between));
        const third = apply(second, plan(second, turns, branch));
        // What belongs to no turn is known by the upstream's id alone.
        const ids = (all: readonly LocalMessage[]) =>
          Object.fromEntries(
            all.flatMap(({ id, turnId, upstreamId }) => (turnId === null && upstreamId !== null ? [[upstreamId, id]] : [])),
          );
        expect(ids(third)).toMatchObject(ids(first));
      }),
    );
  });

  it('keeps the order of messages that were added upstream', () => {
    fc.assert(
      fc.property(histories, branches, ({ local, turns }, branch) => {
        const added = branch.map((reported) => ({ ...reported, clientTurnId: '' }));
        const after = shown(apply(local, plan(local, turns, added)));
        expect(after.flatMap(({ upstreamId }) => upstreamId ?? [])).toEqual(added.map(({ upstreamId }) => upstreamId));
      }),
    );
  });

  it('of added messages only appends them, removes none, and changes nothing the second time', () => {
    fc.assert(
      fc.property(histories, branches, branches, ({ local, turns }, earlier, later) => {
        const inParts = (all: readonly LocalMessage[], branch: readonly UpstreamMessage[]) => {
          const upstream = branch.map((reported) => ({ ...reported, clientTurnId: '' }));
          return planMerge({ local: all, turns, upstream, lastSequence: 99, newId, onlyAdded: true });
        };
        const known = new Set(earlier.map(({ upstreamId }) => upstreamId));
        const fresh = later.filter(({ upstreamId }) => !known.has(upstreamId));
        const first = apply(local, inParts(local, earlier));
        const second = apply(first, inParts(first, fresh));
        expect(inParts(second, fresh)).toEqual({ changed: [], removedIds: [] });
        const merged = second.filter(({ removed }) => !removed).flatMap(({ upstreamId }) => upstreamId ?? []);
        expect(merged).toEqual([...earlier, ...fresh].map(({ upstreamId }) => upstreamId));
        expect(second.filter(({ upstreamId }) => upstreamId === null)).toEqual(local);
        expect(second.findLastIndex(({ upstreamId }) => upstreamId === null)).toBeLessThan(Math.max(local.length, 1));
      }),
    );
  });
});
