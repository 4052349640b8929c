import { type IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@parley/protos/errors';

const MAX_HEADER = 255;
const VISIBLE = /^[\x21-\x7e]+$/;

/**
 * A header of ours, by its name as it is written in errors; empty when it is absent.
 * @throws GatewayError VALIDATION_ERROR naming the header, unless it is 1 to 255 visible ASCII characters
 */
export function readHeader(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name.toLowerCase()];
  if (value === undefined || value === '') return '';
  if (typeof value === 'string' && value.length <= MAX_HEADER && VISIBLE.test(value)) return value;
  throw new GatewayError('VALIDATION_ERROR', `${name} must be 1 to ${MAX_HEADER} visible ASCII characters`, { param: name });
}
