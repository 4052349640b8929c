import { type z } from 'zod';
import { type CliContext } from '../../cli-context.ts';
import { type serviceAccountWithSecretSchema } from '../../gateway/response-schemas.ts';
import { formatFacts } from '../../output/format-table.ts';

/** Prints a service account with its new secret, which is not shown again. */
export function printNewSecret(context: CliContext, account: z.output<typeof serviceAccountWithSecretSchema>): void {
  context.print(account, () =>
    formatFacts([
      ['Name', account.name],
      ['PARLEY_SERVICE_ACCOUNT_ID', account.id],
      ['PARLEY_SERVICE_ACCOUNT_SECRET', `${account.client_secret}   (shown only now: keep it)`],
      ['Expires', account.expires_at ?? 'never'],
    ]),
  );
}
