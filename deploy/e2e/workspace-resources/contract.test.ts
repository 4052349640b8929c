import { beforeAll, describe, expect, it } from '@jest/globals';
import { codesOf, describedBy } from '../harness/described.ts';
import { type OpenApi } from '../harness/description/document.ts';
import { expectRefusal } from '../harness/expectations.ts';
import { makeTenant, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { ERROR_TRIGGERS } from './error-triggers.ts';
import { makeResources } from './make-resources.ts';
import { OPERATIONS, perform } from './operations.ts';

/** Codes that need a gateway in trouble or a throttle that is nearly used up; the suites for these look at them. */
const ELSEWHERE = new Set([
  '408 request_timeout',
  '429 rate_limit_exceeded',
  '503 SERVICE_UNAVAILABLE',
  '503 shutting_down',
  '504 TIMEOUT',
]);

describe('operations on projects and assets', () => {
  inBothTopologies((gateway) => {
    let document: OpenApi;
    let tenant: Tenant;
    beforeAll(async () => {
      document = await describedBy(gateway());
      tenant = await makeTenant(gateway);
    });

    it.each(OPERATIONS)('$id succeeds', async (operation) => {
      const ids = await makeResources(operation, gateway(), tenant);
      const answer = await perform(gateway(), operation, ids, tenant.apiKey);
      expect(answer.status).toBe(operation.status);
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      if (operation.id === 'downloadAsset') expect(answer.text).toBe('The code word is heliotrope.\n');
      else if (operation.status === 204) expect(answer.text).toBe('');
      if (!Array.isArray(answer.json)) return;
      expect(answer.headers.get('x-total-count')).toMatch(/^\d+$/);
      expect(answer.headers.get('link')).toContain('rel="first"');
    });

    it.each(OPERATIONS)('$id is refused with every code that is described', async (operation) => {
      const codes = codesOf(document, operation).filter((code) => !ELSEWHERE.has(code));
      expect(codes.length).toBeGreaterThan(7);
      const ids = await makeResources(operation, gateway(), tenant);
      for (const expected of codes) {
        const provoke = ERROR_TRIGGERS[expected];
        if (!provoke) throw new Error(`nothing provokes ${expected}`);
        const [status, code = ''] = expected.split(' ');
        const answer = await provoke(operation, { gateway: gateway(), tenant, ids });
        expectRefusal(answer, { status: Number(status), code });
      }
    });
  });
});
