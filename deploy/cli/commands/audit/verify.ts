import { Command } from 'commander';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type CliContext } from '../../cli-context.ts';
import { CliError } from '../../cli-error.ts';
import { auditVerificationSchema, type AuditVerification } from '../../gateway/response-schemas.ts';

const line = z.looseObject({ seq: z.int(), prev_hash: z.string(), hash: z.string(), hashed: z.string() });

/** `parley audit verify`: whether an entry was changed, removed or put in between; exit code 1 when one was. */
export function verifyAudit(context: CliContext): Command {
  return new Command('verify')
    .description('Check that no entry of the audit log was changed, removed or put in between')
    .option('--file <export>', 'check an export instead of the gateway')
    .action(async ({ file }: { file?: string }) => {
      const found =
        file === undefined
          ? await (await context.gateway()).call('GET', '/admin/v1/audit/verify', auditVerificationSchema)
          : await verifyFile(resolve(context.environment.cwd, file));
      context.failed = found.problem !== null;
      context.print(found, () => show(found));
    });
}

function show({ entries, problem, head }: AuditVerification): string {
  if (problem) return `Entry ${problem.seq} is ${problem.problem}: the chain does not hold from there.`;
  return head === null ? 'The audit log is empty.' : `${entries} entries, an unbroken chain. The last is ${head.seq}: ${head.hash}`;
}

/** Checks the lines of an export, each against itself and the one before it. */
async function verifyFile(file: string): Promise<AuditVerification> {
  let entries = 0;
  let head: AuditVerification['head'] = null;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const read = line.safeParse(parse(text));
    if (!read.success) throw new CliError(`line ${entries + 1} of ${file} is no entry of the audit log`, { code: 'BAD_FILE' });
    const { seq, prev_hash, hash, hashed } = read.data;
    entries++;
    const before: number = head?.seq ?? seq - 1;
    if (seq !== before + 1) return { entries, head, problem: { seq: before + 1, problem: 'missing' } };
    const isWhole = createHash('sha256').update(Buffer.from(prev_hash, 'hex')).update(hashed).digest('hex') === hash;
    if (!isWhole || !says(hashed, read.data)) return { entries, head, problem: { seq, problem: 'changed' } };
    if (head !== null && prev_hash !== head.hash) return { entries, head, problem: { seq, problem: 'forked' } };
    head = { seq, hash };
  }
  return { entries, head, problem: null };
}

/** True when what people read in a line is what its hash is made of. */
function says(hashed: string, entry: Record<string, unknown>): boolean {
  const parts = z.array(z.unknown()).safeParse(parse(hashed));
  if (!parts.success) return false;
  const [seq, id, , , , , , action, , target] = parts.data;
  return seq === entry['seq'] && id === entry['id'] && action === entry['action'] && target === entry['target_id'];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
