import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@parley/kit/log/logger';
import { NOOP_SPAN } from '@parley/kit/telemetry/span';
import { EventBatch, type RequestsRefused } from '@parley/protos/events/v1/events';
import { type Principal } from './principal.ts';
import { RefusalCounter } from './refusal-counter.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const principal: Principal = {
  workspaceId: 'w',
  keyId: 'k',
  userId: 'u',
  scopes: [],
  requestId: '',
  span: NOOP_SPAN,
  operator: false,
  project: '',
  quotas: [],
};
const DAY_MS = 86_400_000;

/** A broker that can be away, and may have taken what it did not acknowledge. */
class FakeBus {
  away = false;
  taken = new Map<string, RequestsRefused>();
  publish = async (_subject: string, bytes: Uint8Array) => {
    for (const { id, payload } of EventBatch.decode(bytes).events) {
      if (payload?.$case === 'requestsRefused') this.taken.set(id, payload.value);
    }
    if (this.away) throw new Error('no acknowledgement');
  };
  total = (field: 'errors' | 'rateLimited') => [...this.taken.values()].reduce((sum, event) => sum + event[field], 0);
}

describe('RefusalCounter', () => {
  it('publishes the sums of each key', async () => {
    const bus = new FakeBus();
    const refusals = new RefusalCounter(bus, log, DAY_MS);
    refusals.count(principal, 'errors');
    refusals.count(principal, 'errors');
    refusals.count(principal, 'rate_limited');
    refusals.count({ ...principal, keyId: 'other' }, 'errors');
    await refusals.stop();
    expect([...bus.taken.values()].map(({ keyId, errors, rateLimited }) => [keyId, errors, rateLimited])).toEqual([
      ['k', 2, 1],
      ['other', 1, 0],
    ]);
  });

  it('repeats a batch under the same ids until it is acknowledged, and loses nothing that comes meanwhile', async () => {
    const bus = new FakeBus();
    const refusals = new RefusalCounter(bus, log, DAY_MS);
    bus.away = true;
    refusals.count(principal, 'errors');
    await refusals.flush();
    refusals.count(principal, 'errors');
    await refusals.flush();
    bus.away = false;
    await refusals.flush();
    await refusals.stop();
    expect(bus.taken.size).toBe(2);
    expect(bus.total('errors')).toBe(2);
  });

  it('does not meter what has no key: the operator, and people before they have chosen a workspace', async () => {
    const bus = new FakeBus();
    const refusals = new RefusalCounter(bus, log, DAY_MS);
    refusals.count({ ...principal, workspaceId: '', keyId: '' }, 'errors');
    await refusals.stop();
    expect(bus.taken.size).toBe(0);
  });
});
