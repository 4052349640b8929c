import { describe, expect, it } from '@jest/globals';
import { generateReply } from './generate-reply.ts';
import { type ThreadMessage } from './thread.ts';

const REPORT = `# The lighthouse

The lighthouse of Skerry stands on a rock of granite. It was a wet year. The keeper painted the lighthouse
green in 1987, and ships saw the green lighthouse from afar.

Bread was dear. Since then ships steer by the lighthouse on its rock. The cat slept.
`;
const INSTRUCTION = 'Summarise the document in at most five sentences. Language: English';

function thread(content: string, system?: string): ThreadMessage[] {
  const message = (role: ThreadMessage['role'], text: string): ThreadMessage => ({ role, content: text, images: 0 });
  return [...(system === undefined ? [] : [message('system', system)]), message('user', content)];
}

describe('a summary of the sandbox', () => {
  it('has the sentences with the most frequent words, in their order', () => {
    expect(generateReply(thread(REPORT, INSTRUCTION))).toBe(
      'The lighthouse of Skerry stands on a rock of granite. Since then ships steer by the lighthouse on its rock.',
    );
  });

  it('has at most as many sentences as it is asked for', () => {
    expect(generateReply(thread(REPORT, 'Summarise the document in one sentence.'))).toBe(
      'Since then ships steer by the lighthouse on its rock.',
    );
  });

  it('is given for a text behind `summarise:`', () => {
    expect(generateReply(thread(`Summarise this text: ${REPORT}`))).toMatch(/^The lighthouse of .* rock\.$/);
  });

  it('does not confuse it with the request to summarise the conversation', () => {
    expect(generateReply(thread('summarise this conversation'))).toBe('There is nothing to summarise yet.');
  });

  it('consists of lines where no sentence ends, and is short for a text of one long line', () => {
    expect(generateReply(thread('apples and pears\n\nplums', INSTRUCTION))).toBe('apples and pears');
    expect(generateReply(thread('word '.repeat(50_000), INSTRUCTION)).length).toBeLessThan(500);
  });
});
