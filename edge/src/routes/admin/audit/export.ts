import { once } from 'node:events';
import { type ServerResponse } from 'node:http';
import { z } from 'zod';
import { getRequestId } from '../../../middleware/get-request-id.ts';
import { listAuditForExport } from '../../../store/audit-chain.ts';
import { toAuditLine } from '../../../wire/audit.ts';
import { type RouteDeps } from '../../deps.ts';
import { uuid } from '../../fields.ts';
import { integerParam } from '../../paging.ts';
import { type Input, RESPONSE_SENT } from '../../route.ts';

/** Entries per statement. */
const PART = 1_000;
const MAX_ENTRIES = 100_000;

/** Query parameters of the export. */
export const auditExportQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,18}$/, 'must be a place in the log')
    .default('0')
    .meta({ description: 'Entries after this `seq`; that of the last line of the export before.' }),
  limit: integerParam(1, MAX_ENTRIES)
    .optional()
    .meta({ type: 'integer', minimum: 1, maximum: MAX_ENTRIES, description: 'At most so many entries; without it all.' }),
  workspace_id: uuid.optional().meta({ description: 'Without it, all entries: only these make a chain.' }),
});

/** Streams the audit log as NDJSON, oldest entry first, as fast as the client reads it. */
export async function exportAudit(
  { query, req }: Input<undefined, z.output<typeof auditExportQuery>>,
  { db, config }: RouteDeps,
  res: ServerResponse,
): Promise<typeof RESPONSE_SENT> {
  let after = BigInt(query.after);
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  const read = () => listAuditForExport(db, after, Math.min(PART, left), query.workspace_id);
  let rows = await read();
  res.writeHead(200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
    'x-request-id': getRequestId(req),
  });
  while (rows.length > 0 && !res.destroyed) {
    after = rows.at(-1)?.seq ?? after;
    left -= rows.length;
    const taken = res.write(rows.map(toAuditLine).join(''));
    if (!taken) await once(res, 'drain', { signal: AbortSignal.timeout(config.stalledClientMs) });
    rows = rows.length < PART || left === 0 ? [] : await read();
  }
  res.end();
  return RESPONSE_SENT;
}
