import { beforeAll, describe, expect, it } from '@jest/globals';
import { codesOf, describedBy } from '../harness/described.ts';
import { type OpenApi } from '../harness/description/document.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { Operator } from '../harness/operator.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { ATTACHMENT_ERRORS } from './attachment-error-triggers.ts';
import { CREATE_ERRORS } from './create-error-triggers.ts';
import { COMMON_ERRORS, type ErrorTrigger } from './error-triggers.ts';
import { OPERATIONS } from './operations.ts';
import { beginShared, makePeople, type People, perform } from './people.ts';
import { SYNC_ERRORS } from './sync-error-triggers.ts';

/** Codes that need a gateway in trouble, a throttle that is nearly used up or a race; the suites for these look at them. */
const ELSEWHERE = new Set([
  '403 ACCOUNT_REAUTH_REQUIRED',
  '408 request_timeout',
  '429 rate_limit_exceeded',
  '503 PROVIDER_UNAVAILABLE',
  '503 SERVICE_UNAVAILABLE',
  '503 shutting_down',
  '504 PROVIDER_TIMEOUT',
  '504 TIMEOUT',
]);
const OPERATION_ERRORS: Readonly<Record<string, Readonly<Record<string, ErrorTrigger>>>> = {
  createAttachment: ATTACHMENT_ERRORS,
  createConversation: CREATE_ERRORS,
  syncConversation: SYNC_ERRORS,
};

describe('operations on conversations', () => {
  inBothTopologies((gateway) => {
    let document: OpenApi;
    let people: People;
    beforeAll(async () => {
      document = await describedBy(gateway());
      people = await makePeople(gateway);
    });

    it.each(OPERATIONS)('$id succeeds', async (operation) => {
      const answer = await perform(gateway(), operation, await beginShared(gateway(), people), people.owner.key);
      expect(answer.status).toBe(operation.id === 'createConversation' ? 201 : 200);
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      if (!Array.isArray(answer.json)) return;
      expect(answer.headers.get('x-total-count')).toMatch(/^\d+$/);
      expect(answer.headers.get('link')).toContain('rel="first"');
    });

    it.each(OPERATIONS)('$id is refused with every code that is described', async (operation) => {
      const codes = codesOf(document, operation).filter((code) => !ELSEWHERE.has(code) || OPERATION_ERRORS[operation.id]?.[code]);
      expect(codes.length).toBeGreaterThan(8);
      const ids = await beginShared(gateway(), people);
      for (const expected of codes) {
        const provoke = OPERATION_ERRORS[operation.id]?.[expected] ?? COMMON_ERRORS[expected];
        if (!provoke) throw new Error(`nothing provokes ${expected}`);
        const [status, code = ''] = expected.split(' ');
        const answer = await provoke(operation, { gateway: gateway(), operator: new Operator(gateway), people, ids });
        expectRefusal(answer, { status: Number(status), code });
      }
    });
  });
});
