import { GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { findProfile } from '../../../store/people.ts';
import { listSecondFactorKinds } from '../../../store/second-factors.ts';
import { type profile, toProfile } from '../../../wire/people.ts';
import { type RouteDeps } from '../../deps.ts';
import { type Input, type Reply } from '../../route.ts';
import { requireSession } from '../require-session.ts';

/** Returns the profile of the caller. */
export async function getProfile({ principal }: Input, { db }: RouteDeps): Promise<Reply<z.input<typeof profile>>> {
  const { userId } = requireSession(principal);
  const [person, factors] = await Promise.all([findProfile(db, userId), listSecondFactorKinds(db, userId)]);
  if (!person) throw new GatewayError('SIGN_IN_REQUIRED', 'sign in first');
  return { body: toProfile(person, factors), headers: { 'cache-control': 'no-store' } };
}
