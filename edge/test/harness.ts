import { createLogger, type Logger, type LogLevel } from '@parley/kit/log/logger';
import { createTestDatabase } from '@parley/kit/testing/database';
import { type EdgeConfig, readEdgeSettings } from '../src/config.ts';
import { type EdgeOverrides, type EdgeServer, startEdgeServer } from '../src/server.ts';
import { type FakeServices, startFakeServices } from './fake-services.ts';

export const OPERATOR_KEY = 'operator-key-for-tests';
export const API_KEY = `gmk_live_${'k'.repeat(43)}`;

/** Lines that the edge logged. */
export interface CapturedLog {
  log: Logger;
  lines: Record<string, unknown>[];
}

/** A logger whose lines a test can read. */
export function captureLog(level: LogLevel = 'info'): CapturedLog {
  const lines: Record<string, unknown>[] = [];
  const write = (text: string) => void lines.push(JSON.parse(text) as Record<string, unknown>);
  return { log: createLogger({ service: 'edge', level, destination: { write } }), lines };
}

/** An edge with real PostgreSQL and NATS, and services that are played. */
export interface TestFixture extends AsyncDisposable {
  edge: EdgeServer;
  services: FakeServices;
  config: EdgeConfig;
  lines: Record<string, unknown>[];
}

/** Starts a fixture; a database of its own unless the config names one. */
export async function startFixture(config: Partial<EdgeConfig> = {}, overrides: EdgeOverrides = {}): Promise<TestFixture> {
  const database = config.databaseUrl === undefined ? await createTestDatabase() : undefined;
  const services = await startFakeServices();
  const { log, lines } = captureLog();
  const full: EdgeConfig = {
    ...readEdgeSettings({
      DATABASE_URL: database?.url ?? config.databaseUrl,
      NATS_URL: process.env.NATS_URL,
      PARLEY_PORT: '0',
      PARLEY_API_KEY: API_KEY,
      PARLEY_OPERATOR_KEY: OPERATOR_KEY,
      PARLEY_SECRET_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      PARLEY_LAME_DUCK: '0s',
    }),
    ...services.addresses,
    ...config,
  };
  // A busy machine may take longer than a client would be made to wait.
  const edge = await startEdgeServer(full, { log, ...overrides, cacheTimes: { readTimeoutMs: 60_000, ...overrides.cacheTimes } });
  return {
    edge,
    services,
    config: full,
    lines,
    [Symbol.asyncDispose]: async () => {
      await edge[Symbol.asyncDispose]();
      await database?.drop();
    },
  };
}

/** Headers of a caller with this key. */
export function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

/** What an error answer holds. */
export interface ErrorBody {
  error: { code: string; message: string; type: string; param?: string; request_id: string; retryable: boolean | null };
}

/** An answer whose body has been read. */
export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  body: T;
}

/** Sends a request with a JSON body, or a form, and reads the answer. */
export async function call<T = unknown>(
  url: string,
  { method = 'GET', key, body, headers = {} }: { method?: string; key?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer<T>> {
  const isJson = body !== undefined && !(body instanceof FormData);
  const response = await fetch(url, {
    method,
    headers: { ...(key !== undefined && bearer(key)), ...(isJson && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text === '' ? undefined : JSON.parse(text)) as T };
}
