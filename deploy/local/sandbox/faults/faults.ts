import { z } from 'zod';

/** Every fault that can be ordered for an account's next chat requests; what each does is in the README. */
const FAULT_NAMES = [
  'rate_limited',
  'server_error',
  'bad_gateway_html',
  'slow_first_byte',
  'silent',
  'half_open',
  'cut',
  'garbage',
  'bad_json',
  'huge_event',
  'session_expired',
  'conversation_deleted',
  'parent_broken',
  'access_lost',
  'error_mid_stream',
  'image_refused',
  'upgrade_required',
] as const;

/** An order for faults, as the control endpoint takes it. */
export const faultSchema = z.object({
  fault: z.enum(FAULT_NAMES),
  /** How many requests it meets; -1 until cleared. */
  count: z
    .number()
    .int()
    .min(-1)
    .default(1)
    .refine((count) => count !== 0, 'must be -1 or at least 1'),
  after_chunks: z.number().int().nonnegative().optional(),
  delay_ms: z.number().int().nonnegative().optional(),
  /** Only requests to this conversation meet it. */
  conversation_id: z.string().optional(),
});

export type Fault = z.infer<typeof faultSchema>;
export type FaultName = Fault['fault'];

/** A fault of the connection while a reply is on its way; the reply itself is whole upstream. */
export interface WireFault {
  readonly kind: 'half_open' | 'cut' | 'bad_json' | 'huge_event';
  readonly afterChunks: number;
}
