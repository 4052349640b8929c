import { GatewayError } from '@parley/protos/errors';
import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { getRequestContext } from '../middleware/request-context.ts';
import { loadConsoleFiles } from './console-files.ts';

/** Path of the console; all paths below it belong to it. */
export const CONSOLE_PATH = '/console';

/**
 * Answers a request target below `/console` with a file of the build, or with the page, which chooses its view by the URL. A missing asset
 * is a 404, so that the page is never read as a script.
 * @throws GatewayError NOT_FOUND
 */
export async function serveConsole(target: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const [path = ''] = target.split('?', 1);
  if (path === CONSOLE_PATH) {
    res.writeHead(308, { 'x-request-id': getRequestContext(req).id, location: `${CONSOLE_PATH}/` }).end();
    return;
  }
  const { page, byPath } = loadConsoleFiles();
  const name = path.slice(CONSOLE_PATH.length + 1);
  const file = byPath.get(name);
  if (file) return file.send(req, res);
  if (name.startsWith('assets/')) throw new GatewayError('NOT_FOUND', 'the console has no such file');
  sendPage(page, req, res);
}

function sendPage(page: string, req: IncomingMessage, res: ServerResponse): void {
  const nonce = randomBytes(16).toString('base64url');
  const body = Buffer.from(page.replaceAll('__NONCE__', nonce));
  res
    .writeHead(200, {
      'x-request-id': getRequestContext(req).id,
      'content-type': 'text/html; charset=utf-8',
      'content-length': body.length,
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), payment=(), usb=()',
    })
    .end(req.method === 'HEAD' ? undefined : body);
}

/**
 * Returns the content security policy: only own resources and scripts, no inline scripts, and no strings that become markup.
 * https://www.w3.org/TR/CSP3/
 */
function policy(nonce: string): string {
  return [
    ...[
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data: blob:",
      "media-src 'self' blob:",
    ],
    ...["connect-src 'self'", "font-src 'self'", 'frame-src blob:', "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
    ...["require-trusted-types-for 'script'", "trusted-types 'none'"],
  ].join('; ');
}
