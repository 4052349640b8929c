import { describe, expect, it } from '@jest/globals';
import { waitFor } from '@parley/kit/testing/wait-for';
import { API_KEY, call, type ErrorBody, type House, startHouse } from './harness.ts';
import { createKey, operate } from './operator.ts';

const BODY = { model: 'auto', stream: true, messages: [{ role: 'user', content: 'hi' }] };

describe('answers that a workspace has open', () => {
  const chat = (house: House, key: string, signal?: AbortSignal) =>
    fetch(`${house.edge.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(BODY),
      ...(signal && { signal }),
    });

  it('are bounded with a coded refusal, for every key of it and for nobody else, until one is over', async () => {
    await using house = await startHouse({ workspaceConcurrency: 2 });
    let turns = 0;
    house.services.routing.turn = () => void turns++;
    const leaving = new AbortController();
    const second = await createKey(house);
    const open = [chat(house, API_KEY, leaving.signal), chat(house, second.key, leaving.signal)];
    for (const one of open) one.catch(() => undefined);
    await waitFor(() => turns === 2);

    const refused = await chat(house, API_KEY);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-should-retry')).toBeNull();
    const { error } = (await refused.json()) as ErrorBody;
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error', retryable: true });
    expect((await call(`${house.edge.url}/v1/models`, { key: API_KEY })).status).toBe(200);

    const { id: workspace_id } = await operate<{ id: string }>(house, 'POST', 'workspaces', { name: 'other' }, 201);
    const user = await operate<{ id: string }>(house, 'POST', 'users', { display_name: 'Somebody', workspace_id }, 201);
    const other = await createKey(house, { workspace_id, user_id: user.id });
    void chat(house, other.key, leaving.signal).catch(() => undefined);
    await waitFor(() => turns === 3);

    leaving.abort();
    house.services.routing.turn = (_request, outlet) => outlet.fail(new Error('heard'));
    await waitFor(async () => (await chat(house, API_KEY)).status === 500);
  });
});
