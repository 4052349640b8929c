import { z } from 'zod';

/** A TCP port, 0–65535; 0 lets the system choose a free one. */
export const port = parsed('must be a port number from 0 to 65535', toPort);

const HOST_PORT = /^(?:\[[0-9a-fA-F:]+\]|[^\s:/@]+):(\d{1,5})$/;

/** The address on which a service listens: `host:port` for gRPC, with an IPv6 host in brackets; port 0 chooses a free one. */
export const listenAddress = parsed('must look like host:port', (value) => (isHostPort(value) ? value : undefined));

/** The address of the message broker: one or more NATS URLs, separated by commas. */
export const natsUrl = urls('nats', 'tls');

/** A URL with one of the given schemes (without the colon), as the configured text. It may contain credentials, which are secret. */
export function url(...schemes: readonly string[]) {
  const expected = `must be a URL with the scheme ${schemes.join(' or ')}`;
  return text(expected).refine((value) => hasScheme(value, schemes), expected);
}

/** One or more URLs with one of the given schemes, separated by commas, as the configured text. */
export function urls(...schemes: readonly string[]) {
  const expected = `must be one or more URLs, separated by commas, with the scheme ${schemes.join(' or ')}`;
  return text(expected).refine((value) => value.split(',').every((part) => hasScheme(part.trim(), schemes)), expected);
}

/** Secret keys of 32 bytes, `<id>:<base64>` separated by commas, each id once; the first is the current one. */
export const secretKeys = z.string().transform((text, context): { id: string; key: Buffer }[] => {
  const keys = text.split(',').map((entry) => {
    const [id = '', encoded = ''] = entry.trim().split(':');
    return { id, key: Buffer.from(encoded, 'base64') };
  });
  const isDistinct = new Set(keys.map(({ id }) => id)).size === keys.length;
  if (isDistinct && keys.every(({ id, key }) => /^[A-Za-z0-9_-]{1,32}$/.test(id) && key.length === 32)) return keys;
  context.addIssue('must look like <id>:<base64 of 32 bytes>[,<older id>:<…>], each id once');
  return z.NEVER;
});

const PARTITIONS = ['none', 'monthly'] as const;

/** Whether the tables that grow with every turn are partitioned by month (ADR 0065). @default 'none' */
export const partitionMode = z.enum(PARTITIONS, `must be one of ${PARTITIONS.join(', ')}`).default('none');

const MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration in milliseconds: a bare number, or one with `ms`, `s`, `m`, `h` or `d`. */
export const durationMs = scaled('must be a duration such as 500, 500ms, 30s or 5m', /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/, MS);

const BYTES = {
  b: 1,
  k: 1_024,
  kb: 1_024,
  kib: 1_024,
  m: 1_024 ** 2,
  mb: 1_024 ** 2,
  mib: 1_024 ** 2,
  g: 1_024 ** 3,
  gb: 1_024 ** 3,
  gib: 1_024 ** 3,
} as const;

/** A size in bytes: a bare number, or one with `KB`, `MB` or `GB`, each 1,024 times the one before. */
export const byteSize = scaled('must be a size such as 1048576, 512KB or 20MB', /^(\d+(?:\.\d+)?)\s*([kmg]i?b?|b)?$/, BYTES);

/** Comma-separated items, trimmed, empty ones dropped. */
export const commaSeparatedList = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);

/** A whole number from `min` to `max`, both included. */
export function integerBetween(min: number, max: number) {
  return parsed(`must be a whole number from ${min} to ${max}`, (value) => {
    const number = /^-?\d+$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  });
}

/** Text of at least `min` characters; no error message repeats it. */
export function secret(min: number) {
  const expected = `must have at least ${min} characters`;
  return text(expected).min(min, expected);
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** One of pino's levels. @default 'info' */
export const logLevel = z.enum(LEVELS, `must be one of ${LEVELS.join(', ')}`).default('info');

function hasScheme(value: string, schemes: readonly string[]): boolean {
  return URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1));
}

function isHostPort(value: string): value is `${string}:${number}` {
  return toPort(HOST_PORT.exec(value)?.[1] ?? '') !== undefined;
}

function toPort(value: string): number | undefined {
  const number = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  return number <= 65_535 ? number : undefined;
}

function text(expected: string) {
  return z.string(expected);
}

function parsed<T>(expected: string, parse: (value: string) => T | undefined) {
  return text(expected).transform((value, context): T => {
    const result = parse(value.trim());
    if (result !== undefined) return result;
    context.addIssue({ code: 'custom', message: expected });
    return z.NEVER;
  });
}

function scaled(expected: string, shape: RegExp, units: Readonly<Record<string, number>>) {
  return parsed(expected, (value) => {
    const match = shape.exec(value.toLowerCase());
    if (!match) return undefined;
    const result = Math.round(Number(match[1]) * (units[match[2] ?? ''] ?? 1));
    return Number.isSafeInteger(result) ? result : undefined;
  });
}
