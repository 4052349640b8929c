import { type IncomingMessage } from 'node:http';
import { type Pace } from './respond.ts';
import { type Store } from './store.ts';

/** A call that the API got. */
export interface ApiCall {
  method: string;
  /** Without the base path and the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
  /** Of a body in JSON. */
  body: unknown;
}

/** What answers depend on. */
export interface ApiFacts {
  readonly store: Store;
  readonly pace: Pace;
  models: readonly string[];
  /** Models that take no tools which make something. */
  plainModels: readonly string[];
  /** How files of vector stores are when they arrive. */
  indexing: 'in_progress' | 'completed' | 'failed';
}
