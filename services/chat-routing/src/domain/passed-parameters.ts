import { GatewayError } from '@parley/protos/errors';
import { SAMPLING_PARAMETERS } from './sampling-parameters.ts';

const NONE: Readonly<Record<string, unknown>> = {};

/**
 * Returns those parameters that a connection passes on. `parameters`: a JSON object as text, or empty. Parses only when something is
 * passed.
 */
export function pickPassedParameters(pass: readonly string[], parameters: string): Readonly<Record<string, unknown>> {
  if (pass.length === 0 || parameters === '') return NONE;
  const given = JSON.parse(parameters) as Record<string, unknown>;
  return Object.fromEntries(Object.entries(given).filter(([name]) => pass.includes(name)));
}

/**
 * Validates an operator's `pass` and returns it without duplicates. Throws VALIDATION_ERROR for unknown names and for non-chat connections.
 */
export function requirePassedParameters(purpose: string, names: readonly string[]): string[] {
  if (names.length > 0 && purpose !== 'chat')
    throw new GatewayError('VALIDATION_ERROR', 'pass is for connections that chats run on', { param: 'pass' });
  const unknown = names.find((name) => !(SAMPLING_PARAMETERS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    const message = `${JSON.stringify(unknown.slice(0, 100))} cannot be passed; what can: ${SAMPLING_PARAMETERS.join(', ')}`;
    throw new GatewayError('VALIDATION_ERROR', message, { param: 'pass' });
  }
  return [...new Set(names)];
}
