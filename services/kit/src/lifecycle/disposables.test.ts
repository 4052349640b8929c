import { describe, expect, it } from '@jest/globals';
import { Disposables, startWithCleanup } from './disposables.ts';

describe('Disposables', () => {
  it('undoes the last first, once', async () => {
    const order: string[] = [];
    const parts = new Disposables();
    parts.defer(() => order.push('first'));
    expect(parts.adopt('second', (name) => order.push(name))).toBe('second');
    parts.use({ [Symbol.asyncDispose]: async () => void order.push('third') });
    await parts[Symbol.asyncDispose]();
    await parts[Symbol.asyncDispose]();
    expect(order).toEqual(['third', 'second', 'first']);
  });

  it('runs every cleanup and reports all that failed', async () => {
    let ran = false;
    const parts = new Disposables();
    parts.defer(() => Promise.reject(new Error('one')));
    parts.defer(() => (ran = true));
    parts.defer(() => {
      throw new Error('two');
    });
    await expect(parts[Symbol.asyncDispose]()).rejects.toMatchObject({ errors: [{ message: 'two' }, { message: 'one' }] });
    expect(ran).toBe(true);
  });
});

describe('startWithCleanup', () => {
  it('undoes what was set up when a later step fails', async () => {
    const order: string[] = [];
    const start = startWithCleanup(async (parts) => {
      parts.defer(() => order.push('closed'));
      throw new Error('port taken');
    });
    await expect(start).rejects.toThrow('port taken');
    expect(order).toEqual(['closed']);
  });

  it('gives the service, which disposes of its parts', async () => {
    const order: string[] = [];
    const service = await startWithCleanup(async (parts) => {
      parts.defer(() => order.push('closed'));
      return { port: 80 };
    });
    expect(service.port).toBe(80);
    await service[Symbol.asyncDispose]();
    expect(order).toEqual(['closed']);
  });
});
