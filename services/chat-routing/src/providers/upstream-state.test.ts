import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createStateParser } from './upstream-state.ts';

const read = createStateParser(z.object({ conversation: z.string() }));

describe('createStateParser', () => {
  it('reads its own state, and nothing where there is none yet', () => {
    expect(read('{"conversation":"c"}')).toEqual({ conversation: 'c' });
    expect(read('')).toBeUndefined();
  });

  it.each(['{}', '{"conversation":1}', 'null', '{'])('refuses %j, which is not a state', (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ condition: 'CONVERSATION_CONTINUITY_LOST' }));
  });
});
