import { Command, InvalidArgumentError, Option } from 'commander';
import { type CliContext } from '../cli-context.ts';
import { type GatewayClient } from '../gateway/client.ts';
import { resolveConnection, resolveKey } from '../gateway/resolve-resources.ts';
import { type Turn, turnPageSchema } from '../gateway/response-schemas.ts';
import { parseDuration } from '../input/duration.ts';
import { formatTable } from '../output/format-table.ts';

interface Flags {
  since: number;
  until?: number;
  status?: string;
  error?: string;
  key?: string;
  connection?: string;
  workspace?: string;
  slowerThan?: number;
  limit: number;
}

const MAX_LIMIT = 1_000;
/** Pages that are asked for at most: each reads up to 10,000 turns. */
const MAX_PAGES = 100;
const PAGE = 200;
const DAY = 86_400_000;

/** `parley turns`: turns of all workspaces, newest first. */
export function turnsCommand(context: CliContext): Command {
  return new Command('turns')
    .description('List turns, the newest first')
    .addOption(new Option('--since <age>', 'turns of the last, such as 30m or 7d').argParser(parseDuration).default(DAY, '1d'))
    .addOption(new Option('--until <age>', 'turns before the last, such as 10m').argParser(parseDuration))
    .addOption(new Option('--status <status>', 'how they stand').choices(['streaming', 'completed', 'failed', 'interrupted']))
    .option('--error <code>', 'turns that failed with this code')
    .option('--key <key>', 'id or prefix of a key')
    .option('--connection <label>', 'label or id of a connection')
    .option('--workspace <id>', 'id of a workspace (default: all; of --connection: the one that exists from the start)')
    .addOption(new Option('--slower-than <time>', 'turns that took so long, such as 10s').argParser(parseDuration))
    .addOption(new Option('--limit <n>', 'how many').argParser(parseLimit).default(50))
    .action(async (flags: Flags) => {
      const gateway = await context.gateway();
      const found = await collect(gateway, await toQuery(gateway, flags, context.environment.now()), flags.limit);
      context.print(found, () => (found.length === 0 ? 'No turn matches.' : show(found)));
    });
}

async function toQuery(gateway: GatewayClient, flags: Flags, now: number): Promise<Record<string, string | undefined>> {
  const { key, connection, workspace, slowerThan } = flags;
  const at = (ageMs: number | undefined) => (ageMs === undefined ? undefined : new Date(now - ageMs).toISOString());
  return {
    since: at(flags.since),
    until: at(flags.until),
    status: flags.status,
    error_code: flags.error,
    key_id: key === undefined ? undefined : (await resolveKey(gateway, key)).id,
    connection_id: connection === undefined ? undefined : (await resolveConnection(gateway, connection, workspace)).id,
    workspace_id: workspace,
    slower_than: slowerThan === undefined ? undefined : String(Math.round(slowerThan)),
  };
}

/** Asks on until there are enough turns, or no more. */
async function collect(gateway: GatewayClient, query: Record<string, string | undefined>, limit: number): Promise<Turn[]> {
  const found: Turn[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && found.length < limit; page++) {
    const ask = { ...query, limit: String(Math.min(PAGE, limit - found.length)), cursor };
    const { turns: more, next_cursor } = await gateway.call('GET', '/admin/v1/turns', turnPageSchema, { query: ask });
    found.push(...more);
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return found;
}

function show(found: readonly Turn[]): string {
  const rows = found.map(({ error, connection, ...turn }) => [
    turn.started_at,
    turn.turn_id,
    turn.status,
    error?.code ?? '',
    turn.duration_ms === null ? '' : `${turn.duration_ms} ms`,
    connection.label ?? connection.id,
    turn.model,
    turn.request_id,
  ]);
  return formatTable(['started', 'turn', 'status', 'error', 'took', 'connection', 'model', 'request'], rows);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > MAX_LIMIT) throw new InvalidArgumentError(`give a whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
}
