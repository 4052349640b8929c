import { type ErrorCondition } from '@parley/protos/errors';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type EdgeConfig, type ThrottleClass } from '../config.ts';
import { type ClientAddressResolver, toNetwork } from './client-address.ts';
import { ThrottledError } from './errors.ts';
import { setLimitHeaders } from './limit-headers.ts';
import { type RateWindow, type WindowState } from './rate-window.ts';

/**
 * Counts a request of a class by client address and sets the rate limit headers of the response. Throws, or rejects with, ThrottledError
 * when the limit is exceeded; with `code`, the error has this code and the envelope. Synchronous when the counters are in this process.
 */
export type Throttle = (
  throttleClass: ThrottleClass,
  req: IncomingMessage,
  res: ServerResponse,
  code?: ErrorCondition,
) => void | Promise<void>;

/** Dependencies of the throttle. */
interface ThrottleDeps extends Pick<EdgeConfig, 'throttle' | 'throttleErrorFormat'> {
  windows: Readonly<Record<ThrottleClass, RateWindow>>;
  clientAddress: ClientAddressResolver;
}

/** Returns the throttle that all operations share. */
export function createThrottle({ throttle: policies, throttleErrorFormat, windows, clientAddress }: ThrottleDeps): Throttle {
  function settle(
    throttleClass: ThrottleClass,
    res: ServerResponse,
    { isAdmitted, remaining, resetMs }: WindowState,
    code?: ErrorCondition,
  ): void {
    const { points, text } = policies[throttleClass];
    setLimitHeaders(res, { limit: points, remaining, resetMs });
    if (!isAdmitted) throw new ThrottledError(text, resetMs, code ? 'object' : throttleErrorFormat, code);
  }

  return (throttleClass, req, res, code) => {
    const standing = windows[throttleClass].count(toNetwork(clientAddress(req)));
    if (standing instanceof Promise) return standing.then((later) => settle(throttleClass, res, later, code));
    return settle(throttleClass, res, standing, code);
  };
}
