import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectRefusal } from '../harness/expectations.ts';
import { type Answer, call } from '../harness/http.ts';
import { type OpenApi, openApi, validatorOf } from '../harness/shape.ts';
import { makeTenant, type Tenant } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { belongingsFor } from './belongings.ts';
import { type Operation, OPERATIONS, perform } from './operations.ts';
import { PROVOCATIONS } from './provocations.ts';

/** Codes that need a house in trouble or a throttle that is nearly used up; the suites for these look at them. */
const ELSEWHERE = new Set([
  '408 request_timeout',
  '429 rate_limit_exceeded',
  '503 SERVICE_UNAVAILABLE',
  '503 shutting_down',
  '504 TIMEOUT',
]);
const SLOW_MS = 120_000;

describe('operations on projects and assets', () => {
  inBothTopologies((house) => {
    let document: OpenApi;
    let tenant: Tenant;
    beforeAll(async () => {
      document = openApi.parse((await call(house(), 'GET', '/openapi-public.json')).json);
      tenant = await makeTenant(house);
    });

    const responsesOf = ({ method, template }: Operation) => document.paths[template]?.[method.toLowerCase()]?.responses ?? {};
    const expectDescribed = (operation: Operation, { status, json }: Answer) => {
      const schema = responsesOf(operation)[String(status)]?.content?.['application/json']?.schema;
      expect(schema).toBeDefined();
      expect(validatorOf(document, schema).safeParse(json).error).toBeUndefined();
    };
    const documented = (operation: Operation) =>
      Object.entries(responsesOf(operation)).flatMap(([status, response]) =>
        ((response['x-error-codes'] ?? []) as string[]).map((code) => `${status} ${code}`),
      );

    it.each(OPERATIONS)('$id succeeds with what is described', async (operation) => {
      const ids = await belongingsFor(operation, house(), tenant);
      const answer = await perform(house(), operation, ids, tenant.apiKey);
      expect(answer.status).toBe(operation.status);
      expect(answer.headers.get('x-request-id')).toBeTruthy();
      if (operation.id === 'downloadAsset') expect(answer.text).toBe('The code word is heliotrope.\n');
      else if (operation.status === 204) expect(answer.text).toBe('');
      else expectDescribed(operation, answer);
      if (!Array.isArray(answer.json)) return;
      expect(answer.headers.get('x-total-count')).toMatch(/^\d+$/);
      expect(answer.headers.get('link')).toContain('rel="first"');
    });

    it.each(OPERATIONS)(
      '$id is refused with every code that is described',
      async (operation) => {
        const codes = documented(operation).filter((code) => !ELSEWHERE.has(code));
        expect(codes.length).toBeGreaterThan(7);
        const ids = await belongingsFor(operation, house(), tenant);
        for (const expected of codes) {
          const provoke = PROVOCATIONS[expected];
          if (!provoke) throw new Error(`nothing provokes ${expected}`);
          const [status, code = ''] = expected.split(' ');
          const answer = await provoke(operation, { house: house(), tenant, ids });
          expectRefusal(answer, { status: Number(status), code });
          expectDescribed(operation, answer);
        }
      },
      SLOW_MS,
    );
  });
});
