import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { z } from 'zod';
import { admit } from '../admission/admit.ts';
import { type RequestGuards } from '../admission/request-guards.ts';
import { type Deprecation } from '../middleware/deprecation.ts';
import { createPublicDocument } from '../openapi/document.ts';
import { type RouteDeps } from '../routes/deps.ts';
import { wholeListHeaders } from '../routes/paging.ts';
import { type Reply, route } from '../routes/route.ts';
import { createExpressApp, type RawOperation } from './express-app.ts';

const LINK = 'https://parley.example/docs/old-things';
const OPEN: Deprecation = { since: '2026-11-21', link: LINK };
const DATED: Deprecation = { ...OPEN, sunset: '2027-05-31' };
const HEADERS = ['deprecation', 'sunset', 'link'];
const TO = `<${LINK}>; rel="deprecation"; type="text/html"`;
const AT_SUNSET = `${TO}, <${LINK}>; rel="sunset"; type="text/html"`;

/** Public operations need none of them. */
const GUARDS = {} as RequestGuards;

/** Rows that exist only here. */
const row = (name: string, facts: { deprecated?: Deprecation }, handle: () => Reply<undefined>) =>
  route({ method: 'get', path: `/v1/${name}`, operationId: name, summary: name, access: 'public', ...facts, handle });
const ROWS = [
  row('kept', {}, () => ({ body: undefined })),
  row('open', { deprecated: OPEN }, () => ({ body: undefined })),
  row('dated', { deprecated: DATED }, () => ({ body: undefined })),
  row('failing', { deprecated: OPEN }, () => {
    throw new GatewayError('NOT_FOUND', 'nothing there');
  }),
  route({
    ...{ method: 'get', path: '/v1/list', operationId: 'list', summary: 'list', access: 'public', deprecated: DATED, paged: true },
    response: z.array(z.string()),
    handle: () => ({ body: [], headers: wholeListHeaders('/v1/list', 0) }),
  }),
];

/** An operation whose handler admits for itself, as chat does. */
const CHAT: RawOperation = {
  row: { ...ROWS[2]!, method: 'post', path: '/v1/chat/completions' },
  handle: (req, res) => void admit(ROWS[2]!, GUARDS, req, res).then(() => res.end()),
};

describe('deprecated operations', () => {
  const ask = async (path: string) => {
    const app = createExpressApp(ROWS, [CHAT], GUARDS, {} as RouteDeps);
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
      const response = await fetch(url, { method: path.startsWith('/v1/chat') ? 'POST' : 'GET' });
      return { status: response.status, said: HEADERS.map((name) => response.headers.get(name)) };
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };

  it.each([
    ['nothing of one that is kept', '/v1/kept', 200, [null, null, null]],
    ['since when one is deprecated', '/v1/open', 200, ['@1795219200', null, TO]],
    ['and when it goes', '/v1/dated', 200, ['@1795219200', 'Mon, 31 May 2027 00:00:00 GMT', AT_SUNSET]],
    ['in refusals as well', '/v1/failing', 404, ['@1795219200', null, TO]],
    ['and of the handler before Express', '/v1/chat/completions', 200, ['@1795219200', 'Mon, 31 May 2027 00:00:00 GMT', AT_SUNSET]],
  ])('say %s', async (_what, path, status, said) => {
    expect(await ask(path)).toEqual({ status, said });
  });

  it('keep the links of a list', async () => {
    const pages = '</v1/list>; rel="first", </v1/list>; rel="last"';
    expect((await ask('/v1/list')).said[2]).toBe(`${pages}, ${AT_SUNSET}`);
  });

  it('are described as such, with their headers', () => {
    const { paths } = createPublicDocument(ROWS) as { paths: Record<string, { get: Record<string, unknown> }> };
    expect(paths['/v1/kept']?.get).not.toHaveProperty('deprecated');
    expect(paths['/v1/dated']?.get).toMatchObject({
      deprecated: true,
      description: expect.stringContaining('gone on 2027-05-31'),
      responses: {
        200: { headers: { Deprecation: { required: true }, Sunset: {} } },
        '4XX': { headers: { Deprecation: { required: true } } },
      },
    });
  });
});
