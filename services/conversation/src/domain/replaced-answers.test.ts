import { describe, expect, it } from '@jest/globals';
import { omitReplacedAnswers } from './replaced-answers.ts';

/** Messages of a conversation: `s.p role`, with `+` for those of no turn. */
function messages(...names: string[]) {
  return names.map((name) => {
    const [place = '', role = '', added] = name.split(' ');
    const [sequence = 0, position = 0] = place.split('.').map(Number);
    return { name, sequence, position, role, ofTurn: added === undefined };
  });
}

describe('the messages without replaced answers', () => {
  it.each([
    ['nothing is repeated', ['1.0 user', '1.1 assistant', '2.0 user', '2.1 assistant'], []],
    ['a turn is repeated', ['1.0 user', '1.1 assistant', '2.0 assistant', '3.0 user'], ['1.1 assistant']],
    ['a turn is repeated twice', ['1.0 user', '1.1 assistant', '2.0 assistant', '3.0 assistant'], ['1.1 assistant', '2.0 assistant']],
    ['a later turn is repeated', ['1.0 user', '1.1 assistant', '2.0 user', '2.1 assistant', '3.0 assistant'], ['2.1 assistant']],
    ['the request of the first turn has answers', ['1.0 user', '1.1 assistant', '1.2 user', '1.3 assistant'], []],
    ['the request of the first turn starts with an answer', ['1.0 assistant', '1.1 user', '1.2 assistant'], []],
    ['a message was added upstream in between', ['1.0 user', '1.1 assistant', '1.2 assistant +', '2.0 assistant'], ['1.1 assistant']],
    ['there are none', [], []],
  ])('when %s', (_when, given, replaced) => {
    expect(omitReplacedAnswers(messages(...given)).map(({ name }) => name)).toEqual(given.filter((name) => !replaced.includes(name)));
  });
});
