import { z } from 'zod';
import { MAX_HEADER_LENGTH } from '../middleware/read-header.ts';

/** The header with the idempotency key, as errors spell it. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

/** Longest idempotency key, in characters, in a header and in a body. */
const MAX_IDEMPOTENCY_KEY = MAX_HEADER_LENGTH;

/** Schema of the header for the API description; `readHeader` validates it. */
export const idempotencyKeyHeader = z.string().max(MAX_IDEMPOTENCY_KEY).optional();

/** An idempotency key in a JSON body; null means absent. */
export const idempotencyKeyField = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_IDEMPOTENCY_KEY, `must have at most ${MAX_IDEMPOTENCY_KEY} characters`)
  .refine((key) => !key.includes('\0'), 'must not hold U+0000')
  .nullish();
