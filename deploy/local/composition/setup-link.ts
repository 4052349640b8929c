import { oneTimeLink } from '../../cli/gateway/answers.ts';
import { CliError } from '../../cli/cli-error.ts';
import { openGateway } from '../../cli/gateway/client.ts';
import { type Composition } from './composition.ts';

/**
 * A new link for the first owner; undefined once there is one. Each start makes one while it is needed: a link that was lost with a terminal is of no use to
 * anybody. A failure is logged, and the gateway runs without the link: `parley users setup-link` makes one.
 */
export async function makeSetupLink({ keys, log }: Composition, url: string): Promise<string | undefined> {
  try {
    return (
      await openGateway({ url, credential: { kind: 'operator', operatorKey: keys.operatorKey } }).call(
        'POST',
        '/admin/v1/setup-links',
        oneTimeLink,
      )
    ).url;
  } catch (err) {
    const hasOwner = err instanceof CliError && err.code === 'LINK_NOT_VALID';
    if (!hasOwner) log.warn({ err }, 'no link for the first owner was made; npx parley users setup-link makes one');
    return undefined;
  }
}
