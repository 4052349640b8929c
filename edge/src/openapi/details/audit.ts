import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** Descriptions and examples of the operations on the audit log. */
export const AUDIT_DETAILS: DetailsByOperationId = {
  listAuditEntries: {
    description:
      'Who changed what, from where, and by which request. An entry is written in the transaction of its change and never changed. ' +
      'A change that another service makes has two entries with one `request_id`: `details.outcome` is `begun` before it, and `done`, `refused` or `unknown` ' +
      'after it (with the `code` of the error). Where the second is absent, the edge ended in between.',
    response: {
      entries: [
        {
          ...{ seq: 42, id: SAMPLE.turn, at: SAMPLE.time, action: 'key.create', workspace_id: SAMPLE.workspace, target_id: SAMPLE.key },
          actor: { kind: 'user', id: SAMPLE.user, session_id: SAMPLE.request, address: '192.0.2.7' },
          ...{ request_id: 'trip-planner-42', details: { name: 'assistant', scopes: ['chat'] }, hash: HASH },
        },
      ],
      next_cursor: null,
    },
  },
  exportAudit: {
    description:
      'One entry in each line, with `prev_hash` and `hashed`: `hash` is the SHA-256 of the bytes of `prev_hash` and the UTF-8 of `hashed`, so that a copy ' +
      'can be checked without the gateway. A later export goes on with `after`.',
  },
  verifyAuditLog: {
    description: 'Recomputes the whole chain: an entry that was changed, removed or put in between shows.',
    response: { entries: 42, problem: null, head: { seq: 42, hash: HASH } },
  },
};
