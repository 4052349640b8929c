import { expect, it } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLogger } from '../log/logger.ts';
import { type BusConnection } from './bus-connection.ts';
import { StreamDeclarations } from './stream-declarations.ts';

const SILENT = createLogger({ service: 'test', level: 'silent' });
/** So that a loop without end fails the test instead of keeping it from its clock. */
const ENOUGH = 1_000;

it('gives up when the connection is closed while a stream cannot be declared', async () => {
  const stop = new AbortController();
  let attempts = 0;
  const jetstreamManager = () => {
    attempts++;
    stop.abort();
    return Promise.reject(new Error('the connection is draining'));
  };
  const connection = {
    closeSignal: stop.signal,
    onUp: () => () => undefined,
    get connection() {
      return attempts < ENOUGH ? { jetstreamManager } : undefined;
    },
  };
  new StreamDeclarations(connection as unknown as BusConnection, SILENT).declare({ name: 'EVENTS', subjects: ['events.>'] });
  await nextTurn();
  expect(attempts).toBe(1);
});
