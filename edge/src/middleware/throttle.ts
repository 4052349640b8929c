import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Condition } from '@parley/protos/errors';
import { type EdgeConfig, type ThrottleClass } from '../config.ts';
import { type ClientAddress } from './client-address.ts';
import { ThrottledError } from './errors.ts';
import { FixedWindow } from './fixed-window.ts';

/**
 * Counts a request of a class by client address; rejects with ThrottledError when there have been too many (spec §8). An operation with a
 * code of its own for that is refused with it, in the envelope.
 */
export type Throttle = (throttleClass: ThrottleClass, req: IncomingMessage, res: ServerResponse, code?: Condition) => Promise<void>;

/** Throttle counters in this process; the spec leaves sharing between processes open. */
export function createThrottle(config: Pick<EdgeConfig, 'throttle' | 'throttleErrorFormat'>, clientAddress: ClientAddress): Throttle {
  const { throttle: policies, throttleErrorFormat } = config;
  const windows = {
    rate_limit: new FixedWindow(policies.rate_limit),
    upload_rate_limit: new FixedWindow(policies.upload_rate_limit),
    tts_rate_limit: new FixedWindow(policies.tts_rate_limit),
  };
  return async (throttleClass, req, _res, code) => {
    const waitMs = windows[throttleClass].take(networkOf(clientAddress(req)));
    if (waitMs > 0) throw new ThrottledError(policies[throttleClass], waitMs, code ? 'object' : throttleErrorFormat, code);
  };
}

/** One IPv6 client usually has a /64: every address of it counts as the same. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const gap = address.includes('::') ? Array.from({ length: 8 - left.length - right.length }, () => '0') : [];
  return [...left, ...gap, ...right].slice(0, 4).join(':');
}
