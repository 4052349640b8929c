import { useMutation, useSuspenseQueries } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { identitiesQuery, type Identity, signInProvidersQuery } from '../queries/account.ts';
import { useAccountMutation } from '../queries/use-account-mutation.ts';

const HERE = '/console/account?tab=security';

/** The identities at providers that the person signs in with: link another, unlink. */
export function IdentitiesCard() {
  const { t } = useTranslation('account');
  const [{ data: identities }, { data: providers }] = useSuspenseQueries({ queries: [identitiesQuery, signInProvidersQuery] });
  const link = useMutation({
    mutationFn: (slug: string) =>
      unwrap(meClient.POST('/me/v1/identities/oidc/{slug}', { params: { path: { slug } }, body: { return_to: HERE } })),
    onSuccess: ({ url }) => location.assign(url),
  });
  if (identities.length === 0 && providers.length === 0) return null;
  return (
    <Card title={t('identities.title')}>
      <div className="flex flex-col gap-3">
        <p className="text-sm text-muted">{t('identities.text')}</p>
        {identities.length > 0 && (
          <ul aria-label={t('identities.title')} className="flex flex-col divide-y rounded-lg border">
            {identities.map((identity) => (
              <IdentityRow key={identity.id} identity={identity} />
            ))}
          </ul>
        )}
        {link.error && <ProblemNote error={link.error} />}
        <div className="flex flex-wrap gap-2">
          {providers.map(({ slug, name }) => (
            <Button key={slug} disabled={link.isPending} onClick={() => link.mutate(slug)}>
              <Link2 className="size-4" aria-hidden />
              {t('identities.link', { name })}
            </Button>
          ))}
        </div>
      </div>
    </Card>
  );
}

function IdentityRow({ identity }: { identity: Identity }) {
  const { t } = useTranslation('account');
  const [isOpen, setOpen] = useState(false);
  const { id, provider, subject, email, created_at: since } = identity;
  const unlink = useAccountMutation(() => unwrap(meClient.DELETE('/me/v1/identities/{id}', { params: { path: { id } } })));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{provider.name}</p>
        <p className="text-sm break-words text-muted">
          {email ?? subject} {' · '} {t('identities.linked')} <RelativeTime at={since} />
        </p>
      </div>
      <Button size="small" look="danger" onClick={() => setOpen(true)}>
        {t('identities.unlink')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('identities.unlinkTitle', { name: provider.name })}
        action={t('identities.unlink')}
        onConfirm={() => unlink.mutateAsync()}
      >
        {t('identities.unlinkText')}
      </ConfirmDialog>
    </li>
  );
}
