import { expect, it } from '@jest/globals';
import { FaultQueue } from './fault-queue.ts';

it('gives faults in order, as often as ordered', () => {
  const queue = new FaultQueue();
  queue.add({ fault: 'cut', count: 2 });
  queue.add({ fault: 'silent', count: 1 });
  expect([1, 2, 3, 4].map(() => queue.take(undefined)?.fault)).toEqual(['cut', 'cut', 'silent', undefined]);
});

it('goes on until cleared with -1', () => {
  const queue = new FaultQueue();
  queue.add({ fault: 'cut', count: -1 });
  expect([1, 2, 3].map(() => queue.take('c')?.fault)).toEqual(['cut', 'cut', 'cut']);
  queue.clear();
  expect(queue.take('c')).toBeUndefined();
});

it('keeps a fault for its conversation', () => {
  const queue = new FaultQueue();
  queue.add({ fault: 'cut', count: 1, conversation_id: 'sc_1' });
  expect(queue.take('sc_2')).toBeUndefined();
  expect(queue.take(undefined)).toBeUndefined();
  expect(queue.take('sc_1')?.fault).toBe('cut');
});
