import { VERSION } from '@parley/kit/version';
import { type ServerResponse } from 'node:http';
import { getRequestContext } from '../../middleware/request-context.ts';
import { type Home } from '../../wire/home.ts';
import { type RouteDeps } from '../deps.ts';
import { getOrigin } from '../origin.ts';
import { type Input, type Reply, RESPONSE_SENT } from '../route.ts';
import { HOME_CONTENT_SECURITY_POLICY, renderHomePage } from './page.ts';

const SANDBOX = 'The sandbox answers until a connection is added. It is a program with fixed commands, not a language model.';
const CONNECTIONS = 'The connections that the operator has added answer.';

/** Answers `/` with the name of the service and links to its documentation: a page for browsers, JSON for other clients. */
export function getHome({ req }: Input, deps: RouteDeps, res: ServerResponse): Reply<Home> | typeof RESPONSE_SENT {
  const origin = getOrigin(req, deps);
  const body: Home = {
    platform: 'parley',
    version: VERSION,
    base_url: `${origin}/v1`,
    answered_by: deps.config.sandbox ? SANDBOX : CONNECTIONS,
    docs_url: `${origin}/docs-public`,
    openapi_url: `${origin}/openapi-public.json`,
    command_line: 'npx parley',
  };
  const headers = { vary: 'Accept', 'cache-control': 'no-cache' };
  if (!/\btext\/html\b/.test(req.headers.accept ?? '')) return { body, headers };
  const page = Buffer.from(renderHomePage(body));
  res
    .writeHead(200, {
      ...headers,
      'x-request-id': getRequestContext(req).id,
      'content-type': 'text/html; charset=utf-8',
      'content-length': page.length,
      'content-security-policy': HOME_CONTENT_SECURITY_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    .end(req.method === 'HEAD' ? undefined : page);
  return RESPONSE_SENT;
}
