import { Command, Option } from 'commander';
import { z } from 'zod';
import { type CliContext } from '../../cli-context.ts';
import { CliError } from '../../cli-error.ts';

const line = z.looseObject({ seq: z.int() });
/** Entries of one request. */
const PART = 10_000;

/** `parley audit export`: the audit log as NDJSON. */
export function exportAudit(context: CliContext): Command {
  return new Command('export')
    .description('Write the audit log as NDJSON, the oldest entry first; verify --file checks such a file')
    .addOption(new Option('--after <seq>', 'entries after this place, the seq of the last line of an earlier export').default('0'))
    .option('--workspace <id>', 'only entries of a workspace, which make no chain')
    .action(async ({ after, workspace }: { after: string; workspace?: string }) => {
      const gateway = await context.gateway();
      for (let from = after; ;) {
        const query = { after: from, limit: String(PART), workspace_id: workspace };
        const text = await gateway.getText('/admin/v1/audit/export', { accept: 'application/x-ndjson', query });
        context.environment.stdout.write(text);
        const lines = text.trimEnd().split('\n');
        const last = lines.at(-1);
        if (!last || lines.length < PART) return;
        const read = line.safeParse(JSON.parse(last));
        if (!read.success) throw new CliError('the gateway gave a line that this version does not understand', { code: 'BAD_ANSWER' });
        from = String(read.data.seq);
      }
    });
}
