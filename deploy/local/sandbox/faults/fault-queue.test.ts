import { expect, it } from '@jest/globals';
import { FaultQueue } from './fault-queue.ts';

it('gives faults in order, as often as ordered', () => {
  const queue = new FaultQueue();
  queue.add({ fault: 'cut', on: 'chat', count: 2 });
  queue.add({ fault: 'silent', on: 'chat', count: 1 });
  expect([1, 2, 3, 4].map(() => queue.take('chat')?.fault)).toEqual(['cut', 'cut', 'silent', undefined]);
});

it('goes on until cleared with -1', () => {
  const queue = new FaultQueue();
  queue.add({ fault: 'cut', on: 'chat', count: -1 });
  expect([1, 2, 3].map(() => queue.take('chat', 'c')?.fault)).toEqual(['cut', 'cut', 'cut']);
  queue.clear();
  expect(queue.take('chat', 'c')).toBeUndefined();
});

it('keeps a fault for its conversation', () => {
  const queue = new FaultQueue();
  queue.add({ fault: 'cut', on: 'chat', count: 1, conversation_id: 'sc_1' });
  expect(queue.take('chat', 'sc_2')).toBeUndefined();
  expect(queue.take('chat')).toBeUndefined();
  expect(queue.take('chat', 'sc_1')?.fault).toBe('cut');
});

it('keeps a fault for its operation', () => {
  const queue = new FaultQueue();
  queue.add({ fault: 'cut', on: 'uploads', count: 1 });
  expect([queue.take('chat'), queue.take('artifacts')]).toEqual([undefined, undefined]);
  expect(queue.take('uploads')?.fault).toBe('cut');
});
