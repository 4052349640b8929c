import { describe, expect, it } from '@jest/globals';
import { generateReply } from './generate-reply.ts';
import { type Role, type ThreadMessage } from './thread.ts';

/** A thread in which every user message but the last was answered. */
function talk(...texts: string[]): ThreadMessage[] {
  const thread: ThreadMessage[] = [];
  for (const [at, text] of texts.entries()) {
    thread.push(message('user', text));
    if (at < texts.length - 1) thread.push(message('assistant', generateReply(thread)));
  }
  return thread;
}

function message(role: Role, content: string, images = 0): ThreadMessage {
  return { role, content, images };
}

describe('generateReply', () => {
  it.each([
    ['remember blue paint', 'I will remember: blue paint.'],
    ['Please remember that the code is 42!', 'I will remember: the code is 42.'],
    ['Remember: two things; a and b.', 'I will remember: two things; a and b.'],
    ['say Hello, world', 'Hello, world'],
    ['Repeat after me: one\ntwo  three', 'one\ntwo  three'],
    ['echo 🎈 ünïcode', '🎈 ünïcode'],
    ['count to 5', '1 2 3 4 5'],
    ['Count up to 3.', '1 2 3'],
    ['count to 10001', 'I can count to any number from 1 to 10000.'],
    ['lorem 4', 'lorem ipsum dolor sit'],
    ['Hello!', 'Hello! Say "help" to see what I understand.'],
    ['hello world', 'You said: "hello world". (message 1 of this conversation)'],
    ['', 'You said: "". (message 1 of this conversation)'],
    ['summarise this', 'There is nothing to summarise yet.'],
    ['what was my first message?', 'This is your first message.'],
    ['what was my last message?', 'This is your first message.'],
    ['What did I ask you to remember?', 'You have not asked me to remember anything.'],
  ])('answers %j', (text, reply) => {
    expect(generateReply(talk(text))).toBe(reply);
  });

  it('lists everything it was asked to remember, in order', () => {
    const reply = generateReply(talk('remember red', 'how are you', 'please remember green.', 'what did I ask you to remember?'));
    expect(reply).toBe('You asked me to remember: red; green.');
  });

  it('remembers nothing that only the assistant said', () => {
    const thread = [message('user', 'x'), message('assistant', 'remember this'), message('user', 'what should you remember?')];
    expect(generateReply(thread)).toBe('You have not asked me to remember anything.');
  });

  it('numbers the message in the thread, without instructions', () => {
    expect(generateReply(talk('one', 'two'))).toBe('You said: "two". (message 3 of this conversation)');
    expect(generateReply([message('system', 'be kind'), message('user', 'one')])).toContain('(message 1 of this conversation)');
  });

  it('summarises one line per turn', () => {
    expect(generateReply(talk('say yes', 'count to 3', 'Give me a summary, please')).split('\n')).toEqual([
      'Summary of 2 turns:',
      '1. you said "say yes", I said "yes"',
      '2. you said "count to 3", I said "1 2 3"',
    ]);
  });

  it('counts messages and words', () => {
    expect(generateReply(talk('say a b', 'How many messages?'))).toBe('This conversation has 3 messages: 2 from you and 1 from me.');
    expect(generateReply(talk('say a b', 'how many words so far'))).toBe('This conversation has 10 words: 8 from you and 2 from me.');
  });

  it('knows the first and the last message', () => {
    expect(generateReply(talk('alpha', 'beta', 'what was my first message'))).toBe('Your first message was: "alpha".');
    expect(generateReply(talk('alpha', 'beta', 'what was my last message'))).toBe('Your last message was: "beta".');
  });

  it('says how many images came', () => {
    expect(generateReply([message('user', 'say look', 2)])).toBe('look\n\n2 images came with this message.');
    expect(generateReply([message('user', '', 1)])).toBe('1 image came with this message.');
  });

  it('honours "reply in capitals" and ignores other instructions', () => {
    expect(generateReply([message('system', 'Always reply in capitals.'), message('user', 'say hush')])).toBe('HUSH');
    expect(generateReply([message('system', 'speak French'), message('user', 'say hush')])).toBe('hush');
  });

  it('quotes a long message in part only', () => {
    const reply = generateReply(talk('word '.repeat(100_000)));
    expect(reply.length).toBeLessThan(600);
    expect(reply).toContain('…"');
  });

  it('has an answer without a message', () => {
    expect(generateReply([])).toBe('You have not said anything yet.');
    expect(generateReply(talk('help'))).toContain('count to 20');
  });
});
