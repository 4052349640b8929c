import { Command, Option } from 'commander';
import { type CliContext } from '../cli-context.ts';
import { type UsageGroup, usageByGroupSchema } from '../gateway/response-schemas.ts';
import { formatTable } from '../output/format-table.ts';

interface Flags {
  by: string;
  period?: string;
  workspace?: string;
  csv?: boolean;
}

const PATH = '/admin/v1/usage';
const GROUPS = ['workspace', 'key', 'connection', 'model', 'day', 'hour'];
const HEADINGS = [
  ...['requests', 'successful', 'errors', 'rate limited', 'tokens in', 'tokens out', 'p50 ms', 'p95 ms', 'p99 ms'],
  ...['first token p50 ms', 'p95 ms', 'errors by code'],
];

/** `parley usage`: what was used, how long turns took and which errors there were, by group. */
export function usageCommand(context: CliContext): Command {
  return new Command('usage')
    .description('Show what a workspace used, how long turns took, and which errors there were')
    .addOption(new Option('--by <group>', 'what to sum by').choices(GROUPS).default('key'))
    .addOption(
      new Option('--period <period>', 'the last day, week or month (default: 7d; by hour always 24h)').choices(['24h', '7d', '30d']),
    )
    .addOption(
      new Option('--workspace <id>', 'id of the workspace, or all (default: the one that exists from the start; by workspace all)'),
    )
    .addOption(new Option('--csv', 'write CSV'))
    .action(async ({ by, period, workspace, csv }: Flags) => {
      const gateway = await context.gateway();
      const query = { by, period, workspace_id: workspace };
      if (csv) return void context.environment.stdout.write(await gateway.getText(PATH, { accept: 'text/csv', query }));
      const report = await gateway.call('GET', PATH, usageByGroupSchema, { query });
      context.print(report, () => formatTable([by, ...HEADINGS], report.groups.map(toRow)));
    });
}

function toRow(group: UsageGroup): string[] {
  const { name, id, duration, first_token: firstToken, errors_by_code: codes } = group;
  const sums = [group.requests, group.successful, group.errors, group.rate_limited, group.tokens_in, group.tokens_out];
  const durations = [duration.p50_ms, duration.p95_ms, duration.p99_ms].map((ms) => (duration.count === 0 ? '-' : String(ms)));
  const firstTokens = [firstToken.p50_ms, firstToken.p95_ms].map((ms) => (firstToken.count === 0 ? '-' : String(ms)));
  const errors = codes.map(({ code, count }) => `${code} ${count}`).join(', ');
  return [name ?? (id === '' ? 'none' : id), ...sums.map(String), ...durations, ...firstTokens, errors];
}
