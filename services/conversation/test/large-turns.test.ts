import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from '@parley/kit/ids/uuid';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { type Client, newBeginning, newCaller, newEnd } from './turns.ts';

const COUNT = 600;
const say = (text: string, parts: { content: { $case: 'imageUrl'; value: string } }[] = []) => {
  return { id: uuidv7(), role: 'user', text, parts, files: [] };
};
const history = () => Array.from({ length: COUNT }, (_, n) => say(`${n} ${'слово '.repeat(500)}`));

describe('a turn of megabytes', () => {
  let fixture: Fixture;
  let running: Running;
  let client: Client;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await fixture.start();
    client = running.as(newCaller());
  });
  afterAll(() => fixture.close());

  async function stored(conversationId: string) {
    const { rows } = await fixture.sql.query<{ count: number }>('SELECT count(*)::int AS count FROM messages WHERE conversation_id = $1', [
      conversationId,
    ]);
    return rows[0]?.count;
  }

  it.each([true, false])('keeps every message in its place (may share its commit: %s)', async (relaxed) => {
    const beginning = newBeginning({ messages: history(), relaxed });
    await expect(client.begin(beginning)).resolves.toMatchObject({ outcome: 'begun' });
    const said = await client.history(beginning.conversationId);
    expect(said.map((text) => Number(/^user: (\d+) /.exec(text)?.[1]))).toEqual(Array.from({ length: COUNT }, (_, n) => n));
    await client.end(newEnd(beginning));
    await expect(client.open(beginning.conversationId)).resolves.toMatchObject({ busy: false, lastSequence: 1 });
  });

  it('keeps one message that is larger than a portion', async () => {
    const beginning = newBeginning({
      messages: [say('before'), say('', [{ content: { $case: 'imageUrl', value: 'x'.repeat(3e6) } }]), say('after')],
    });
    await client.begin(beginning);
    await expect(stored(beginning.conversationId)).resolves.toBe(3);
  });

  it('begins once when asked again, and keeps nothing of one that may not begin', async () => {
    const beginning = newBeginning({ messages: history() });
    await client.begin(beginning);
    await expect(client.begin(beginning)).resolves.toMatchObject({ outcome: 'begun' });
    const { conversationId } = beginning;
    await expect(
      client.begin(newBeginning({ conversationId, newConversation: undefined, sequence: 2, messages: history() })),
    ).resolves.toMatchObject({
      outcome: 'busy',
    });
    await expect(stored(conversationId)).resolves.toBe(COUNT);
  });

  it('keeps nothing of a turn whose messages cannot all be written', async () => {
    const taken = say('taken');
    await client.begin(newBeginning({ messages: [taken] }));
    const beginning = newBeginning({ messages: [...history(), taken] });
    await expect(client.begin(beginning)).rejects.toThrow();
    await expect(stored(beginning.conversationId)).resolves.toBe(0);
    const { rowCount } = await fixture.sql.query('SELECT FROM conversations WHERE id = $1', [beginning.conversationId]);
    expect(rowCount).toBe(0);
  });
});
