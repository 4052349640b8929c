import { expect } from '@jest/globals';
import { ERROR_CATALOGUE } from '@parley/protos/error-catalogue';
import { type Answer } from './http.ts';

/** What a refusal must say; what is left out is not looked at. */
export interface Refusal {
  status: number;
  code: string;
  param?: string;
}

/** The parts of an answer a refusal is judged by: of a read HTTP answer or of one from a bare socket. */
export type Judged = Pick<Answer, 'status' | 'json'> & { headers: Pick<Headers, 'get'> };

/** Expects the error envelope with everything the catalogue says about the code, and headers that agree with it. */
export function expectRefusal({ status, headers, json }: Judged, refusal: Refusal): void {
  const row = Object.values(ERROR_CATALOGUE).find(({ code, http }) => code === refusal.code && http === refusal.status);
  expect(row).toBeDefined();
  expect({ status, body: json }).toEqual({
    status: refusal.status,
    body: {
      error: {
        code: refusal.code,
        message: expect.stringMatching(/./),
        type: row?.type,
        ...(refusal.param !== undefined && { param: refusal.param }),
        request_id: headers.get('x-request-id'),
        retryable: row?.retryable,
        ...(refusal.param === undefined && hasParam(json) && { param: expect.any(String) }),
      },
    },
  });
  expect(headers.get('x-request-id')).toMatch(/^[\x21-\x7e]{1,256}$/);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  if (row?.retryable === false) expect(headers.get('x-should-retry')).toBe('false');
}

function hasParam(json: unknown): boolean {
  return (
    typeof json === 'object' &&
    json !== null &&
    'error' in json &&
    typeof json.error === 'object' &&
    json.error !== null &&
    'param' in json.error
  );
}
