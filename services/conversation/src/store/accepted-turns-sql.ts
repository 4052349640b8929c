/** A conversation with more turns counts as started without a search. */
const MAX_SEARCHED_TURNS = 1_000;

/** SQL: true for the end `e` of a turn that no upstream accepted; see `isRefusedTurn`. */
export function isRefusedTurnSql(e: string): string {
  return `${e}.status = 'failed' AND ${e}.finish_reason = ''`;
}

/**
 * SQL: true when an upstream accepted, or may have accepted (interrupted turns), a turn of the conversation before this sequence. The first
 * accepted turn ends the search, usually the first turn of all; a scalar subquery never reads whole tables.
 */
export function isAcceptedBeforeSql(conversationId: string, sequence: string): string {
  return `(${sequence} > ${MAX_SEARCHED_TURNS} OR (SELECT true FROM turns s
    LEFT JOIN LATERAL (SELECT * FROM turn_ends WHERE turn_id = s.id AND conversation_id = s.conversation_id OFFSET 0) x ON true
    WHERE s.conversation_id = ${conversationId} AND s.sequence < ${sequence} AND (${isRefusedTurnSql('x')}) IS NOT TRUE
    ORDER BY s.sequence LIMIT 1) IS TRUE)`;
}
