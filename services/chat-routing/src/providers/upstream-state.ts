import { GatewayError } from '@parley/protos/errors';
import type { z } from 'zod';

/**
 * Returns a function that parses the opaque `upstreamState` of a binding; it returns undefined for an empty one.
 * It throws CONVERSATION_CONTINUITY_LOST for a state of another adapter.
 */
export function createStateParser<State>(schema: z.ZodType<State>): (text: string) => State | undefined {
  return (text) => {
    if (text === '') return undefined;
    try {
      return schema.parse(JSON.parse(text));
    } catch (cause) {
      throw new GatewayError('CONVERSATION_CONTINUITY_LOST', 'the state of the conversation upstream is not known', { cause });
    }
  };
}
