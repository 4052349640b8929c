import { type z } from 'zod';
import { readSecondFactors } from '../../../store/second-factors.ts';
import { type secondFactors, toSecondFactors } from '../../../wire/second-factors.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';

/** Returns the second factors of the signed-in person, and whether one is required. */
export async function getSecondFactors({ principal }: Input, { db }: RouteDeps): Promise<Reply<z.input<typeof secondFactors>>> {
  return { body: toSecondFactors(await readSecondFactors(db, requireSession(principal).userId)) };
}
