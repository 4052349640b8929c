import { GatewayError } from '@parley/protos/errors';
import type { z } from 'zod';

/** Parses the options of a request by the provider's schema; empty text for none. @throws VALIDATION_ERROR naming the invalid option */
export function parseProviderOptions(schema: z.ZodType, json: string): unknown {
  const parsed = schema.safeParse(json === '' ? {} : parse(json));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = ['provider_options', ...(issue?.path ?? [])].join('.');
  throw new GatewayError('VALIDATION_ERROR', `provider_options: ${issue?.message ?? 'not what the provider takes'}`, { param });
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new GatewayError('VALIDATION_ERROR', 'provider_options is not JSON', { param: 'provider_options', cause });
  }
}
