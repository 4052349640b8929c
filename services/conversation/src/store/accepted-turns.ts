/** Beyond so many turns none is looked at: a conversation that long counts as started. */
const MAX_LOOKED_AT = 1_000;

/** SQL that is true for the end `e` of a turn that no upstream accepted; see `isRefused`. */
export function isRefusedSql(e: string): string {
  return `${e}.status = 'failed' AND ${e}.finish_reason = ''`;
}

/**
 * SQL that is true when an upstream accepted, or may have accepted, a turn of the conversation before the one with this sequence: turns
 * that were interrupted may have been. The first turn that was accepted ends the search, which is the first of all in most conversations;
 * a scalar subquery is never made into a read of whole tables.
 */
export function isAcceptedBeforeSql(conversationId: string, sequence: string): string {
  return `(${sequence} > ${MAX_LOOKED_AT} OR (SELECT true FROM turns s
    LEFT JOIN LATERAL (SELECT * FROM turn_ends WHERE turn_id = s.id OFFSET 0) x ON true
    WHERE s.conversation_id = ${conversationId} AND s.sequence < ${sequence} AND (${isRefusedSql('x')}) IS NOT TRUE
    ORDER BY s.sequence LIMIT 1) IS TRUE)`;
}
