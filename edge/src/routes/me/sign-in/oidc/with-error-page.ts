import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { type IncomingMessage } from 'node:http';
import { getRequestContext } from '../../../../middleware/request-context.ts';
import { type RouteDeps } from '../../../deps.ts';
import { type Reply } from '../../../route.ts';

/**
 * Runs an operation that a browser navigates to. For a browser an error becomes a redirect to a page that shows it; other clients get the
 * error. The reason why a provider is refused is logged.
 */
export async function withErrorPage(
  req: IncomingMessage,
  { log }: Pick<RouteDeps, 'log'>,
  work: () => Promise<Reply<undefined>>,
): Promise<Reply<undefined>> {
  try {
    return await work();
  } catch (error) {
    const isRefused = error instanceof GatewayError && error.condition === 'OIDC_REFUSED';
    if (isRefused)
      log.info({ requestId: getRequestContext(req).id, reason: error.message, err: error.cause }, 'sign-in at a provider refused');
    if (!(req.headers.accept ?? '').includes('text/html')) throw error;
    const context = getRequestContext(req);
    context.error = error;
    const query = new URLSearchParams({ error: toGatewayError(error).code, request_id: context.id });
    return { body: undefined, headers: { location: `/console/sign-in?${query.toString()}`, 'cache-control': 'no-store' } };
  }
}
