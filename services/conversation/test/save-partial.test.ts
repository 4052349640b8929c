import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import type { Listen } from '@parley/kit/rpc/serve';
import { type Fixture, type Running, createFixture } from './fixture.ts';
import { type TurnClient, newBeginTurn, newCaller, newEndTurn } from './turn-client.ts';

const TRANSPORTS: Listen[] = ['in-process', '127.0.0.1:0'];

describe.each(TRANSPORTS)('saving a partial text, %s', (listen) => {
  let fixture: Fixture;
  let running: Running;
  let client: TurnClient;
  beforeAll(async () => {
    fixture = await createFixture();
    running = await fixture.start({ listen });
    client = running.as(newCaller());
  });
  afterAll(() => fixture.close());

  async function partials(turnId: string) {
    const { rows } = await fixture.sql.query<{ text: string }>('SELECT text FROM turn_partials WHERE turn_id = $1', [turnId]);
    return rows;
  }

  it('keeps the newest text until the turn ends', async () => {
    const first = newBeginTurn();
    await client.begin(first);
    await Promise.all(['one', 'one two', 'one two\0 three'].map((text) => client.savePartial(first.turnId, text)));
    await expect(partials(first.turnId)).resolves.toEqual([{ text: 'one two three' }]);
    await client.end(newEndTurn(first));
    await expect(partials(first.turnId)).resolves.toEqual([]);
    await client.savePartial(first.turnId, 'late');
    await expect(partials(first.turnId)).resolves.toEqual([]);
  });

  it('is accepted from a service on its own behalf, not from another key', async () => {
    const first = newBeginTurn();
    await client.begin(first);
    await running.as(newCaller()).savePartial(first.turnId, 'not mine');
    await expect(partials(first.turnId)).resolves.toEqual([]);
    await running.as(SYSTEM_CALLER).savePartial(first.turnId, 'theirs');
    await expect(partials(first.turnId)).resolves.toEqual([{ text: 'theirs' }]);
  });
});
