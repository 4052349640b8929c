import { describe, expect, it } from '@jest/globals';
import { turnRequest } from './client.ts';
import { useClient } from './use-client.ts';

const MANY = 2_000;

describe('a turn of many messages', () => {
  const at = useClient();

  /** Counts how often the event loop serves others between the request and its start in the record. */
  async function pausesBeforeStart(): Promise<number> {
    let pauses = 0;
    let next: NodeJS.Immediate;
    const pause = () => {
      pauses++;
      next = setImmediate(pause);
    };
    const started = new Promise<number>((resolve) => {
      at.fixture.conversation.before = ({ $case }) => void ($case === 'begin' && resolve(pauses));
    });
    const messages = Array.from({ length: MANY }, (_, n) => ({ role: 'user', text: `message ${n}`, parts: [] }));
    const received = at.client.open({ ...turnRequest('Hello'), messages });
    next = setImmediate(pause);
    const before = await started;
    clearImmediate(next);
    expect(await received.over).toMatchObject({ text: 'ok', error: undefined, ends: 1 });
    return before;
  }

  it('lets other requests be served between its steps', async () => {
    await at.connect({});
    // Loads the connections, so that no query is waited for afterwards.
    await at.client.turn('Hello');
    expect(await pausesBeforeStart()).toBeGreaterThanOrEqual(2);
  });
});
