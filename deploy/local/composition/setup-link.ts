import { CliError } from '../../cli/cli-error.ts';
import { createGatewayClient } from '../../cli/gateway/client.ts';
import { oneTimeLinkSchema } from '../../cli/gateway/response-schemas.ts';
import { type CompositionContext } from './composition-context.ts';

/**
 * Creates a link that creates the first owner; undefined when there is an owner. Each start creates a new link until then, in case the
 * previous one was lost. A failure is logged, and the gateway runs without a link: `parley users setup-link` creates one.
 */
export async function makeSetupLink({ keys, log }: CompositionContext, url: string): Promise<string | undefined> {
  try {
    return (
      await createGatewayClient({ url, credential: { kind: 'operator', operatorKey: keys.operatorKey } }).call(
        'POST',
        '/admin/v1/setup-links',
        oneTimeLinkSchema,
      )
    ).url;
  } catch (err) {
    const hasOwner = err instanceof CliError && err.code === 'LINK_NOT_VALID';
    if (!hasOwner) log.warn({ err }, 'no link for the first owner was made; npx parley users setup-link makes one');
    return undefined;
  }
}
