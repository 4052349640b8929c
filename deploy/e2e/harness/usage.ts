import { z } from 'zod';
import { call } from './http.ts';
import { type Gateway } from './parley.ts';

const report = z.strictObject({
  period: z.string(),
  scope: z.string(),
  total_requests: z.int(),
  successful: z.int(),
  errors: z.int(),
  rate_limited: z.int(),
  total_tokens_in: z.int(),
  total_tokens_out: z.int(),
  total_duration_ms: z.int(),
  by_model: z.array(z.strictObject({ model: z.string(), requests: z.int(), tokens_in: z.int(), tokens_out: z.int() })),
  by_day: z.array(z.strictObject({ date: z.string(), requests: z.int(), tokens: z.int() })),
});

/** The usage report of a key; `search` begins with `?`. Throws with the answer when it is none. */
export async function usageOf(gateway: Gateway, key: string, search = ''): Promise<z.infer<typeof report>> {
  return report.parse((await call(gateway, 'GET', `/v1/usage${search}`, { key })).json);
}
