import { useTranslation } from 'react-i18next';
import { type components } from '../../../api/generated/admin.ts';
import { OneTimeSecretDialog } from '../../../ui/one-time-secret-dialog.tsx';
import { Snippet } from '../../../ui/snippet.tsx';

/** The secret of a service account, once, and how a program uses it. */
export function ServiceAccountSecret({
  account,
  onClose,
}: {
  account: components['schemas']['CreatedServiceAccount'];
  onClose: () => void;
}) {
  const { t } = useTranslation('people');
  // The secret stands in the environment, not in the command: a history of the shell keeps commands.
  const code = `export PARLEY_CLIENT_SECRET=…
curl -s ${location.origin}/admin/v1/token -H 'Content-Type: application/json' \\
  -d "{\\"client_id\\": \\"${account.id}\\", \\"client_secret\\": \\"$PARLEY_CLIENT_SECRET\\"}"`;
  return (
    <OneTimeSecretDialog
      title={t('service.secretTitle', { name: account.name })}
      description={t('service.secretText')}
      label={t('service.secret')}
      secret={account.client_secret}
      onClose={onClose}
    >
      <p className="text-sm text-muted">{t('service.use')}</p>
      <Snippet code={code} label={t('service.command')} />
    </OneTimeSecretDialog>
  );
}
