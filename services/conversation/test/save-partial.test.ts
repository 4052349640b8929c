import { describe, expect, it } from '@jest/globals';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { TRANSPORTS, useService } from './fixture.ts';
import { newBeginTurn, newCaller, newEndTurn } from './turn-client.ts';

describe.each(TRANSPORTS)('saving a partial text, %s', (listen) => {
  const service = useService({ listen });

  async function partials(turnId: string) {
    const { rows } = await service.fixture.sql.query<{ text: string }>('SELECT text FROM turn_partials WHERE turn_id = $1', [turnId]);
    return rows;
  }

  it('keeps the newest text until the turn ends', async () => {
    const first = newBeginTurn();
    await service.client.begin(first);
    await Promise.all(['one', 'one two', 'one two\0 three'].map((text) => service.client.savePartial(first.turnId, text)));
    await expect(partials(first.turnId)).resolves.toEqual([{ text: 'one two three' }]);
    await service.client.end(newEndTurn(first));
    await expect(partials(first.turnId)).resolves.toEqual([]);
    await service.client.savePartial(first.turnId, 'late');
    await expect(partials(first.turnId)).resolves.toEqual([]);
  });

  it('is accepted from a service on its own behalf, not from another key', async () => {
    const first = newBeginTurn();
    await service.client.begin(first);
    await service.running.as(newCaller()).savePartial(first.turnId, 'not mine');
    await expect(partials(first.turnId)).resolves.toEqual([]);
    await service.running.as(SYSTEM_CALLER).savePartial(first.turnId, 'theirs');
    await expect(partials(first.turnId)).resolves.toEqual([{ text: 'theirs' }]);
  });
});
