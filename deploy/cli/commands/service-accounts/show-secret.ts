import { type CliContext } from '../../context.ts';
import { type serviceAccountWithSecret } from '../../gateway/answers.ts';
import { type z } from 'zod';
import { facts } from '../../output/table.ts';

/** Prints an account with its new secret: the only moment in which that is shown. */
export function showSecret(context: CliContext, account: z.output<typeof serviceAccountWithSecret>): void {
  context.print(account, () =>
    facts([
      ['Name', account.name],
      ['PARLEY_SERVICE_ACCOUNT_ID', account.id],
      ['PARLEY_SERVICE_ACCOUNT_SECRET', `${account.client_secret}   (shown only now: keep it)`],
      ['Expires', account.expires_at ?? 'never'],
    ]),
  );
}
