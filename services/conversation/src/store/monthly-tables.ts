import { type MonthlyTable } from '@parley/kit/db/monthly-partitions';
import { toLowestUuid } from '../domain/turn-id-range.ts';

/** All rows of a conversation are in the partition of the month in which it began, because its id is a UUIDv7. */
const ofConversation = (name: string, also: readonly string[] = []): MonthlyTable => ({
  ...{ name, column: 'conversation_id', toLiteral: (time: Date) => `'${toLowestUuid(time)}'`, keptColumn: 'kept', afterPartitioning: also },
});

/** The monthly partitioned table of turns. */
export const TURNS_TABLE = ofConversation('turns', [
  'CREATE TRIGGER turns_used BEFORE INSERT ON turns FOR EACH ROW WHEN (NOT NEW.kept) EXECUTE FUNCTION refuse_used_turn()',
]);
/** The monthly partitioned table of ends of turns. */
export const TURN_ENDS_TABLE = ofConversation('turn_ends');
/** The monthly partitioned table of messages. */
export const MESSAGES_TABLE = ofConversation('messages');

/** The tables that grow with every turn, in the order in which turns lock them. */
export const MONTHLY_TABLES: readonly MonthlyTable[] = [TURNS_TABLE, TURN_ENDS_TABLE, MESSAGES_TABLE];
