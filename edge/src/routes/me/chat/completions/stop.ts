import { GatewayError } from '@parley/protos/errors';
import { NOTICES } from '@parley/protos/subjects';
import { z } from 'zod';
import { readHeader } from '../../../../middleware/read-header.ts';
import { toAnswerKey } from '../../../chat/resumable-answers.ts';
import { type RouteDeps } from '../../../deps.ts';
import { IDEMPOTENCY_KEY_HEADER, idempotencyKeyHeader } from '../../../idempotency-key.ts';
import { type Input, type Reply } from '../../../route.ts';
import { requireSession } from '../../require-session.ts';

/** Request header with the idempotency key of the answer. */
export const stopHeaders = z.object({ [IDEMPOTENCY_KEY_HEADER]: idempotencyKeyHeader });

/**
 * Stops an answer of the person, at whichever edge it runs; one that has ended stays unchanged.
 * @throws GatewayError VALIDATION_ERROR without the header
 */
export function stopAnswer({ principal, req }: Input, { resumableAnswers, bus }: RouteDeps): Reply<undefined> {
  const key = readHeader(req.headers, IDEMPOTENCY_KEY_HEADER);
  if (key === '') throw new GatewayError('VALIDATION_ERROR', 'names no answer', { param: IDEMPOTENCY_KEY_HEADER });
  const name = toAnswerKey(requireSession(principal).userId, key);
  resumableAnswers.stop(name);
  bus.notify(NOTICES.answerStopped, Buffer.from(name));
  return { body: undefined };
}
