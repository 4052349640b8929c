import { describe, expect, it } from '@jest/globals';
import { Readiness } from './readiness.ts';

describe('Readiness', () => {
  it('is ready when every required check is', async () => {
    const readiness = new Readiness();
    readiness.add('database', async () => undefined);
    readiness.add('bus', () => Promise.reject(new Error('disconnected')), { required: false });
    const report = await readiness.report();
    expect(report).toMatchObject({ ready: true, checks: { database: { ok: true }, bus: { ok: false, detail: 'disconnected' } } });
  });

  it('is not ready when a required check fails, also by throwing at once', async () => {
    const readiness = new Readiness();
    readiness.add('database', () => {
      throw new Error('gone');
    });
    await expect(readiness.report()).resolves.toMatchObject({ ready: false, checks: { database: { ok: false, detail: 'gone' } } });
  });

  it('does not wait for a check past its deadline', async () => {
    const readiness = new Readiness();
    readiness.add('slow', () => new Promise(() => undefined), { deadlineMs: 10 });
    await expect(readiness.report()).resolves.toMatchObject({ ready: false, checks: { slow: { detail: 'no answer within 10 ms' } } });
  });

  it('asks once for many probes', async () => {
    let asked = 0;
    const readiness = new Readiness();
    readiness.add('database', async () => void asked++, { cacheMs: 60_000 });
    await Promise.all([readiness.report(), readiness.report()]);
    await readiness.report();
    expect(asked).toBe(1);
  });

  it('asks again when the result is old', async () => {
    let asked = 0;
    const readiness = new Readiness();
    readiness.add('database', async () => `asked ${++asked}`, { cacheMs: -1 });
    await readiness.report();
    await expect(readiness.report()).resolves.toMatchObject({ checks: { database: { detail: 'asked 2' } } });
  });

  it('is not ready while draining', async () => {
    const readiness = new Readiness();
    readiness.drain();
    await expect(readiness.report()).resolves.toEqual({ ready: false, checks: {} });
  });
});
