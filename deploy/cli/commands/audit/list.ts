import { Command, InvalidArgumentError, Option } from 'commander';
import { type CliContext } from '../../cli-context.ts';
import { type GatewayClient } from '../../gateway/client.ts';
import { auditPageSchema, type AuditEntry } from '../../gateway/response-schemas.ts';
import { parseDuration } from '../../input/duration.ts';
import { formatTable } from '../../output/format-table.ts';

interface Flags {
  since: number;
  action?: string;
  actor?: string;
  target?: string;
  workspace?: string;
  request?: string;
  limit: number;
}

const PAGE = 200;
const MAX_LIMIT = 10_000;
const WEEK = 7 * 86_400_000;

/** `parley audit list`: who changed what, newest first. */
export function listAudit(context: CliContext): Command {
  return new Command('list')
    .description('List who changed what, the newest first')
    .addOption(new Option('--since <age>', 'entries of the last, such as 30m or 7d').argParser(parseDuration).default(WEEK, '7d'))
    .option('--action <action>', 'an action such as key.create, or all of a noun: key')
    .option('--actor <id>', 'id of a user, a service account or a key')
    .option('--target <id>', 'id of what was changed')
    .option('--workspace <id>', 'id of a workspace (default: all)')
    .option('--request <id>', 'id of the request')
    .addOption(new Option('--limit <n>', 'how many').argParser(parseLimit).default(50))
    .action(async (flags: Flags) => {
      const found = await collect(await context.gateway(), flags, context.environment.now());
      context.print(found, () => (found.length === 0 ? 'No entry matches.' : show(found)));
    });
}

async function collect(gateway: GatewayClient, flags: Flags, now: number): Promise<AuditEntry[]> {
  const query = {
    since: new Date(now - flags.since).toISOString(),
    action: flags.action,
    actor_id: flags.actor,
    target_id: flags.target,
    workspace_id: flags.workspace,
    request_id: flags.request,
  };
  const found: AuditEntry[] = [];
  for (let cursor: string | undefined; found.length < flags.limit;) {
    const ask = { ...query, limit: String(Math.min(PAGE, flags.limit - found.length)), cursor };
    const { entries, next_cursor } = await gateway.call('GET', '/admin/v1/audit', auditPageSchema, { query: ask });
    found.push(...entries);
    if (next_cursor === null) break;
    cursor = next_cursor;
  }
  return found;
}

function show(entries: readonly AuditEntry[]): string {
  const rows = entries.map(({ at, action, target_id, actor, workspace_id, request_id, details }) => [
    ...[at, action, details.outcome ?? '-', target_id, actor.id === null ? actor.kind : `${actor.kind} ${actor.id}`, actor.address ?? '-'],
    ...[workspace_id ?? '-', request_id],
  ]);
  return formatTable(['at', 'action', 'outcome', 'target', 'actor', 'address', 'workspace', 'request'], rows);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > MAX_LIMIT) throw new InvalidArgumentError(`give a whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
}
