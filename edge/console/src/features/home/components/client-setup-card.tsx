import { Link } from '@tanstack/react-router';
import { Trans, useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Snippets } from '../../../ui/snippets.tsx';
import { clientSnippets, KEY_PLACEHOLDER } from './client-snippets.ts';

/** Shows how to set up clients for this gateway, as code to copy. */
export function ClientSetupCard({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('home');
  const may = usePermissionCheck();
  const baseUrl = `${location.origin}/v1`;
  const mayMakeKeys = may('keys.read', workspaceId) || may('own_keys.write', workspaceId);
  return (
    <Card title={t('clients.title')}>
      <div className="flex flex-col gap-3">
        <p className="flex flex-wrap items-center gap-x-2 text-sm">
          <span className="text-muted">{t('clients.baseUrl')}</span>
          <code className="break-all">{baseUrl}</code>
          <CopyButton text={baseUrl} what={t('clients.baseUrl')} />
        </p>
        <p className="text-sm text-muted">
          {mayMakeKeys ? (
            <Trans
              t={t}
              i18nKey="clients.key"
              values={{ placeholder: KEY_PLACEHOLDER }}
              components={{
                code: <code />,
                keys: <Link to="/w/$workspaceId/keys" params={{ workspaceId }} className="text-accent underline" />,
              }}
            />
          ) : (
            t('clients.askForKey', { placeholder: KEY_PLACEHOLDER })
          )}
        </p>
        <Snippets label={t('clients.title')} snippets={clientSnippets(baseUrl)} />
      </div>
    </Card>
  );
}
