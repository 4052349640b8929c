import { CliError } from '../cli-error.ts';
import { type GatewayClient } from '../gateway/client.ts';
import { connectionSchema, type Connection } from '../gateway/response-schemas.ts';
import { formatDuration } from '../output/format-times.ts';
import { type Finding } from './finding.ts';

const NONE: Finding = {
  name: 'connections',
  state: 'failed',
  detail: 'no account is connected, so no chat can be answered',
  advice: 'run: npx parley connections add --help',
};

/** Whether the credential is accepted, and how the connected accounts of the default workspace are. */
export async function checkConnections(gateway: GatewayClient): Promise<Finding[]> {
  try {
    const connections = await gateway.listAll('/admin/v1/connections', connectionSchema);
    const accepted: Finding = { name: 'credential', state: 'ok', detail: 'accepted' };
    return [accepted, ...(connections.length === 0 ? [NONE] : connections.map(ofConnection))];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [{ name: 'connections', state: 'failed', detail: error.message }];
  }
}

function ofConnection({ label, status, health, cooldown_seconds }: Connection): Finding {
  const name = `connection ${label}`;
  const detail = `${status}, ${health}`;
  const left = cooldown_seconds === undefined ? '' : `, ${formatDuration(cooldown_seconds)} left`;
  switch (status) {
    case 'active':
      return { name, state: 'ok', detail };
    case 'disabled':
      return { name, state: 'skipped', detail: 'disabled', advice: `run: npx parley connections enable ${label}` };
    case 'rate_limited':
      return { name, state: 'warning', detail: `throttled by its provider${left}`, advice: 'wait, or connect another account' };
    case 'cooldown':
      return { name, state: 'warning', detail: `failed repeatedly${left}`, advice: `run: npx parley connections test ${label}` };
    default:
      return { name, state: 'failed', detail, advice: `run: npx parley connections reconnect ${label} with new credentials` };
  }
}
