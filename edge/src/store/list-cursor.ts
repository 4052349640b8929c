import { isUuid } from '@parley/kit/ids/uuid';
import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';

/** What a place in a list is given by: the value of the column that it is sorted by. */
export type SortType = 'time' | 'text';

/** A place in a list: behind the row with this id, which has this value in the column that the list is sorted by. */
export interface Position {
  value: Date | string;
  id: string;
}

/** The years that JavaScript and PostgreSQL write alike. */
const TIME = /^[1-9]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const fields = z.tuple([z.string(), z.string(), z.string().refine(isUuid)]);

/** The cursor of a place in the order with this name. */
export function toCursor(order: string, { value, id }: Position): string {
  return Buffer.from(JSON.stringify([order, typeof value === 'string' ? value : value.toISOString(), id])).toString('base64url');
}

/** The place that a cursor names. @throws GatewayError VALIDATION_ERROR for one of another order, or none */
export function fromCursor(text: string, order: string, type: SortType): Position {
  const [of, value = '', id = ''] = fields.safeParse(parsed(text)).data ?? [];
  const isValue = type === 'time' ? TIME.test(value) && !Number.isNaN(Date.parse(value)) : isStorable(value);
  if (of !== order || !isValue) {
    throw new GatewayError('VALIDATION_ERROR', 'cursor: must be a cursor of this list', { param: 'cursor' });
  }
  return { value: type === 'time' ? new Date(value) : value, id };
}

/** Clients may send anything, and PostgreSQL compares only what it could hold. */
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
