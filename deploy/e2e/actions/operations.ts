import { type Answer, call } from '../harness/http.ts';
import { formRequest, type LocalFile, type Uploader } from '../harness/upload.ts';

/** An operation on actions: on the catalog, on one action, or on one run. */
export interface Operation {
  method: string;
  /** As the API description writes it. */
  template: string;
  on: 'catalog' | 'action' | 'run';
  scope: 'actions:read' | 'actions:run';
  /** What it answers when it succeeds. */
  status: number;
}

/** What a request names. */
export interface Names {
  slug: string;
  run: string;
}

const ACTIONS = '/v1/actions';
const ACTION = `${ACTIONS}/{slug}`;
const RUN = `${ACTION}/runs/{run_id}`;
/** A file for an action. */
export const NOTE: LocalFile = { name: 'note.txt', bytes: Buffer.from('The door is heliotrope.\n'), type: 'text/plain' };

/** Every operation on actions. */
export const OPERATIONS: readonly Operation[] = [
  { method: 'GET', template: ACTIONS, on: 'catalog', scope: 'actions:read', status: 200 },
  { method: 'GET', template: ACTION, on: 'action', scope: 'actions:read', status: 200 },
  { method: 'POST', template: `${ACTION}/assets`, on: 'action', scope: 'actions:run', status: 201 },
  { method: 'GET', template: `${ACTION}/assets`, on: 'action', scope: 'actions:read', status: 200 },
  { method: 'POST', template: `${ACTION}/runs`, on: 'action', scope: 'actions:run', status: 202 },
  { method: 'GET', template: `${ACTION}/runs`, on: 'action', scope: 'actions:read', status: 200 },
  { method: 'GET', template: RUN, on: 'run', scope: 'actions:read', status: 200 },
  { method: 'GET', template: `${RUN}/events`, on: 'run', scope: 'actions:read', status: 200 },
  { method: 'POST', template: `${RUN}/cancel`, on: 'run', scope: 'actions:run', status: 200 },
];

/** Asks for an operation. */
export function perform({ gateway, key }: Uploader, { method, template }: Operation, { slug, run }: Names): Promise<Answer> {
  const path = template.replace('{slug}', slug).replace('{run_id}', run);
  return call(gateway, method, path, { key, ...payloadOf(method, template) });
}

function payloadOf(method: string, template: string): { body?: unknown; headers?: Record<string, string> } {
  if (method === 'GET' || template.startsWith(RUN)) return {};
  return template.endsWith('/assets') ? formRequest(NOTE) : { body: { input: { text: 'heliotrope' } } };
}
