import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';

/** Type of the column that a list is sorted by. */
export type SortType = 'time' | 'text';

/** A position in a list: after the row with this id and this value of the sort column. */
export interface ListPosition {
  value: Date | string;
  id: string;
}

/** Times with the years that JavaScript and PostgreSQL write in the same way. */
const TIME = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const fields = z.tuple([z.string(), z.string(), z.string().refine(isUuid)]);

/** Returns the cursor of a position; `order` is the name of the sort order. */
export function toCursor(order: string, { value, id }: ListPosition): string {
  return Buffer.from(JSON.stringify([order, typeof value === 'string' ? value : value.toISOString(), id])).toString('base64url');
}

/** Returns the position of a cursor. @throws GatewayError VALIDATION_ERROR for a malformed cursor or one of another order */
export function fromCursor(text: string, order: string, type: SortType): ListPosition {
  const [of, value = '', id = ''] = fields.safeParse(parsed(text)).data ?? [];
  const isValue = type === 'time' ? TIME.test(value) && !Number.isNaN(Date.parse(value)) : isStorable(value);
  if (of !== order || !isValue) {
    throw new GatewayError('VALIDATION_ERROR', 'cursor: must be a cursor of this list', { param: 'cursor' });
  }
  return { value: type === 'time' ? new Date(value) : value, id };
}

/** True for text that PostgreSQL can store; clients may send anything. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
