import { type IncomingMessage } from 'node:http';
import { type z } from 'zod';
import { type oneTimeLink } from '../wire/people.ts';
import { toTimestamp } from '../wire/time.ts';
import { type RouteDeps } from './deps.ts';
import { getOrigin } from './origin.ts';
import { type Reply } from './route.ts';

/** Pages of the console that one-time links open. */
export type OneTimeLinkPage = 'setup' | 'reset' | 'invitation';

/**
 * Returns the URL of a one-time link. The token is in the fragment, which browsers do not send: it appears in no log and in no `Referer`.
 */
export function toOneTimeLinkUrl(req: IncomingMessage, deps: Pick<RouteDeps, 'config'>, page: OneTimeLinkPage, token: string): string {
  return `${getOrigin(req, deps)}/console/${page}#${token}`;
}

/** Returns the response with a new one-time link, which only this response shows. */
export function toOneTimeLinkReply({
  req,
  deps,
  page,
  token,
  expiresAt,
}: {
  req: IncomingMessage;
  deps: Pick<RouteDeps, 'config'>;
  page: OneTimeLinkPage;
  token: string;
  expiresAt: Date;
}): Reply<z.input<typeof oneTimeLink>> {
  return {
    body: { url: toOneTimeLinkUrl(req, deps, page, token), expires_at: toTimestamp(expiresAt) },
    headers: { 'cache-control': 'no-store' },
  };
}
