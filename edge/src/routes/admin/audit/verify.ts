import { type z } from 'zod';
import { verifyAuditChain } from '../../../store/audit-chain.ts';
import { type auditVerification, toHex } from '../../../wire/audit.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';

/** Entries per statement. */
const PART = 5_000;
const START = { seq: 0n, hash: new Uint8Array() };

/** Verifies the hash chain of the audit log from its start, in parts; returns the number of entries and the first problem. */
export async function verifyAuditLog({ req }: Input, { db }: RouteDeps): Promise<Reply<z.input<typeof auditVerification>>> {
  let [last, entries]: [typeof START, number] = [START, 0];
  for (;;) {
    const part = await verifyAuditChain(db, last, PART);
    entries += part.entries;
    if (part.last) last = { seq: part.last.seq, hash: new Uint8Array(part.last.hash) };
    if (part.entries < PART || part.problem !== undefined || req.destroyed) {
      const { problem } = part;
      const head = last.seq === 0n ? null : { seq: Number(last.seq), hash: toHex(last.hash) };
      return { body: { entries, head, problem: problem ? { seq: Number(problem.seq), problem: problem.problem } : null } };
    }
  }
}
