import { z } from 'zod';
import { MAX_HEADER_LENGTH } from '../middleware/read-header.ts';

/** The header of an idempotency key, as errors name it. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

/** Characters of an idempotency key, in a header and in a body. */
const MAX_IDEMPOTENCY_KEY = MAX_HEADER_LENGTH;

/** An idempotency key in a header, as the API description shows it; `readHeader` enforces it. */
export const idempotencyKeyHeader = z.string().max(MAX_IDEMPOTENCY_KEY).optional();

/** An idempotency key in a JSON body; null stands for absent. */
export const idempotencyKeyField = z
  .string()
  .min(1, 'must not be empty')
  .max(MAX_IDEMPOTENCY_KEY, `must have at most ${MAX_IDEMPOTENCY_KEY} characters`)
  .refine((key) => !key.includes('\0'), 'must not hold U+0000')
  .nullish();
