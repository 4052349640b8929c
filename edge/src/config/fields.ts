import { isIP } from 'node:net';
import { z } from 'zod';
import { isPresetKey } from './key-format.ts';

/** A rate limit: `points` requests within `seconds` for each client. */
export interface RatePolicy {
  points: number;
  seconds: number;
  /** The policy as clients see it, for example `60 per 1 minute`. */
  text: string;
}

const SECONDS = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;
const POLICY = /^(\d{1,9}) per (?:(\d{1,4}) )?(second|minute|hour|day)s?$/;

/** A rate limit in text form: `60 per 1 minute`. */
export const ratePolicy = z.string().transform((value, context): RatePolicy => {
  const match = POLICY.exec(value.trim().toLowerCase().replaceAll(/\s+/g, ' '));
  const points = Number(match?.[1] ?? 0);
  const periods = Number(match?.[2] ?? 1);
  const unit = match?.[3] as keyof typeof SECONDS | undefined;
  if (unit && points > 0 && periods > 0) {
    return { points, seconds: periods * SECONDS[unit], text: `${points} per ${periods} ${unit}${periods > 1 ? 's' : ''}` };
  }
  context.addIssue({ code: 'custom', message: 'must look like 60 per 1 minute' });
  return z.NEVER;
});

/** Where the throttle counters are stored: in this process, in the edge's database, or in a Redis. */
export type ThrottleStoreLocation = 'memory' | 'postgres' | URL;

/** The store of throttle counters: `memory`, `postgres` or the URL of a Redis. */
export const throttleStoreLocation = z.string().transform((value, context): ThrottleStoreLocation => {
  const place = value.trim();
  if (place === 'memory' || place === 'postgres') return place;
  const url = URL.canParse(place) ? new URL(place) : undefined;
  if (url && url.hostname !== '' && ['redis:', 'rediss:'].includes(url.protocol)) return url;
  context.addIssue({ code: 'custom', message: 'must be memory, postgres or a URL with the scheme redis or rediss' });
  return z.NEVER;
});

/** An IP address, or a network such as `10.0.0.0/8`. */
export const proxyAddress = z.string().refine(isProxyAddress, 'must be IP addresses or networks such as 10.0.0.0/8, separated by commas');

function isProxyAddress(value: string): boolean {
  const [ip = '', prefix, ...rest] = value.split('/');
  const family = isIP(ip);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

/** `*`, or an origin such as `https://app.example.com`. */
export const corsOrigin = z.string().refine(isOrigin, 'must be * or origins such as https://app.example.com, separated by commas');

function isOrigin(value: string): boolean {
  return value === '*' || (URL.canParse(value) && new URL(value).origin === value);
}

/** An API key that an operator presets. */
export const presetKey = z.string().refine(isPresetKey, 'must be gmk_live_ followed by 20 to 100 letters and digits');

/** The email of the first owner, converted to lower case. */
export const initAdminEmail = z.string().trim().toLowerCase().max(254).regex(z.regexes.email, 'must be an email');
