import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyScript, expectedHistory, recordOf, sentBefore } from '../../test/scripted-turns.ts';
import { selectReplayedHistory } from './replayed-history.ts';

/** Messages of a conversation: `s.p role text`, with `+` behind the role for those of no turn; `-` stands for no text. */
function messages(...names: string[]) {
  return names.map((name) => {
    const [place = '', description = '', text = ''] = name.split(' ');
    const [sequence = 0, position = 0] = place.split('.').map(Number);
    const [role = ''] = description.split('+');
    return { name, sequence, position, role, ofTurn: role === description, content: text === '-' ? '' : text };
  });
}

describe('replayed history', () => {
  it.each([
    ['every turn was answered', ['1.0 user a', '1.1 assistant b', '2.0 user c', '2.1 assistant d'], []],
    ['the first turn was refused', ['1.0 user a', '1.1 assistant -', '2.0 user c', '2.1 assistant d'], ['1.0', '1.1']],
    ['a later turn was refused', ['1.0 user a', '1.1 assistant b', '2.0 user c', '2.1 assistant -'], ['2.0', '2.1']],
    ['an answer is only white space', ['1.0 user a', '1.1 assistant \n', '2.0 user c', '2.1 assistant d'], ['1.0', '1.1']],
    ['a refused turn was repeated and answered', ['1.0 user a', '1.1 assistant -', '2.0 assistant b'], ['1.1']],
    ['an interrupted answer was repeated', ['1.0 user a', '1.1 assistant b', '2.0 assistant c'], ['1.1']],
    ['the repetition of a partial answer was refused', ['1.0 user a', '1.1 assistant b', '2.0 assistant -'], ['2.0']],
    [
      'every repetition was refused',
      ['1.0 user a', '1.1 assistant -', '2.0 assistant -', '3.0 user b', '3.1 assistant c'],
      ['1.0', '1.1', '2.0'],
    ],
    ['one request has several questions', ['1.0 user a', '1.1 user b', '1.2 assistant c'], []],
    ['it was imported', ['0.0 user+ a', '0.1 assistant+ b', '1.0 user c', '1.1 assistant -'], ['1.0', '1.1']],
    ['it was imported without an answer', ['0.0 user+ a', '1.0 user c', '1.1 assistant d'], []],
    ['the answer was replaced upstream', ['1.0 user a', '1.1 assistant+ b', '2.0 user c', '2.1 assistant d'], []],
    ['the answer was removed upstream', ['1.0 user a', '2.0 user c', '2.1 assistant d'], ['1.0']],
    [
      'the conversation continued upstream after a refused turn',
      ['1.0 user a', '1.1 assistant -', '1.2 user+ b', '1.3 assistant+ c'],
      ['1.0', '1.1'],
    ],
    ['the request of the first turn has an answer', ['1.0 user a', '1.1 assistant b', '1.2 user c', '1.3 assistant -'], ['1.2', '1.3']],
    [
      'the system message of a refused turn opens it',
      ['1.0 system s', '1.1 user a', '1.2 assistant -', '2.0 user c', '2.1 assistant d'],
      ['1.1', '1.2'],
    ],
    [
      'the turn that is answered brings a system message of its own',
      ['1.0 system s', '1.1 user a', '1.2 assistant -', '2.0 system t', '2.1 user c', '2.2 assistant d'],
      ['1.0', '1.1', '1.2'],
    ],
    [
      'two refused turns brought system messages',
      ['1.0 system s', '1.1 user a', '1.2 assistant -', '2.0 system t', '2.1 user c', '2.2 assistant -'],
      ['1.0', '1.1', '1.2', '2.1', '2.2'],
    ],
    ['the asking turn has one', ['1.0 system s', '1.1 user a', '1.2 assistant -', '9.0 system t'], ['1.0', '1.1', '1.2', '9.0']],
    [
      'a refused turn brought one later',
      ['1.0 user a', '1.1 assistant b', '2.0 system s', '2.1 user c', '2.2 assistant -'],
      ['2.0', '2.1', '2.2'],
    ],
    ['there are no messages', [], []],
  ])('when %s', (_when, given, leftOut) => {
    const left = given.filter((name) => !leftOut.some((place) => name.startsWith(`${place} `)));
    expect(selectReplayedHistory(messages(...given), 9).map(({ name }) => name)).toEqual(left);
  });

  it('includes the question of a turn that may still be running', () => {
    const given = messages('1.0 user a', '1.1 assistant b', '2.0 user c');
    expect(selectReplayedHistory(given, undefined)).toEqual(given);
    expect(selectReplayedHistory(given, 3)).toEqual(given.slice(0, 2));
  });

  it('equals a model of the conversation for all outcomes of its turns', () => {
    fc.assert(
      fc.property(anyScript, (script) => {
        const replayed = selectReplayedHistory(sentBefore(recordOf(script), script), script.turns.length + 1);
        expect(replayed.map(({ role, content }) => `${role}: ${content}`)).toEqual(expectedHistory(script));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never has two consecutive questions of different requests, a message twice, or an answer without text', () => {
    fc.assert(
      fc.property(anyScript, (script) => {
        const replayed = selectReplayedHistory(sentBefore(recordOf(script), script), script.turns.length + 1);
        const spoken = replayed.filter(({ role }) => role !== 'system');
        spoken.forEach((message, index) => {
          const next = spoken[index + 1];
          if (message.role === 'assistant') expect([message.content !== '', next?.role]).not.toEqual([true, 'assistant']);
          else if (message.ofTurn && next?.role === 'user') expect(next.sequence).toBe(message.sequence);
        });
        expect(spoken.at(-1)?.role ?? 'assistant').toBe('assistant');
        expect(new Set(replayed.map(({ id }) => id)).size).toBe(replayed.length);
        expect(replayed.filter(({ content }) => content === '')).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});
