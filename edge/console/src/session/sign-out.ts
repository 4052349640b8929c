import { meClient } from '../api/me.ts';
import { unwrap } from '../api/unwrap.ts';

/** The reason for which the sign-in is shown. */
type Reason = 'ended' | 'idle';

let isLeaving = false;

/** Redirects to the sign-in, which leads back here. The page is loaded anew, so that nothing of the ended session stays in memory. */
export function redirectToSignIn(reason?: Reason): void {
  if (isLeaving) return;
  isLeaving = true;
  const returnTo = location.pathname.replace(/^\/console/, '') + location.search;
  const search = new URLSearchParams(reason ? { return_to: returnTo, reason } : {});
  location.assign(`/console/sign-in${reason ? `?${search.toString()}` : ''}`);
}

/** Ends the session at the gateway, and at the identity provider where it has a sign-out of its own. */
export async function signOut(reason?: Reason): Promise<void> {
  const answer = await unwrap(meClient.POST('/me/v1/sign-out')).catch(() => undefined);
  if (answer?.sign_out_url && !reason) location.assign(answer.sign_out_url);
  else redirectToSignIn(reason);
}
