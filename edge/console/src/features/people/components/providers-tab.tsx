import { useMutation, useQuery } from '@tanstack/react-query';
import { LogIn, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { adminClient } from '../../../api/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { MenuItem } from '../../../ui/menu.tsx';
import { Note } from '../../../ui/note.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { type OidcProvider, oidcProvidersQuery, usePeopleMutation } from '../queries/people.ts';
import { ListFrame } from './list-frame.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { RowMenu } from './row-menu.tsx';

/** Providers that people sign in with. */
export function ProvidersTab() {
  const { t } = useTranslation('people');
  const may = usePermissionCheck();
  const list = useQuery(oidcProvidersQuery);
  const [isMaking, setMaking] = useState(false);
  const mayWrite = may('oidc_providers.write');
  const begin = mayWrite && (
    <Button look="primary" onClick={() => setMaking(true)}>
      <Plus className="size-4" aria-hidden />
      {t('providers.new')}
    </Button>
  );
  const { data: providers = [] } = list;
  return (
    <ListFrame list={list} lead={t('providers.lead')} toolbar={begin}>
      {providers.length === 0 ? (
        <EmptyState icon={LogIn} title={t('providers.none')} action={begin}>
          {t('providers.noneText')}
        </EmptyState>
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          {providers.map((provider) => (
            <ProviderCard key={provider.id} provider={provider} mayWrite={mayWrite} />
          ))}
        </div>
      )}
      {isMaking && <ProviderDialog onClose={() => setMaking(false)} />}
    </ListFrame>
  );
}

function ProviderCard({ provider, mayWrite }: { provider: OidcProvider; mayWrite: boolean }) {
  const { t } = useTranslation('people');
  const [open, setOpen] = useState<'change' | 'toggle' | 'delete'>();
  const { id, name } = provider;
  const path = { params: { path: { id } } };
  const isActive = provider.status === 'active';
  const test = useMutation({ mutationFn: () => unwrap(adminClient.POST('/admin/v1/oidc-providers/{id}/test', path)) });
  const toggle = usePeopleMutation(() =>
    unwrap(adminClient.PATCH('/admin/v1/oidc-providers/{id}', { ...path, body: { status: isActive ? 'disabled' : 'active' } })),
  );
  const remove = usePeopleMutation(() => unwrap(adminClient.DELETE('/admin/v1/oidc-providers/{id}', path)));
  const close = () => setOpen(undefined);
  // What the environment says is changed there.
  const mayChange = mayWrite && !provider.is_from_environment;
  return (
    <Card
      title={name}
      actions={
        <span className="flex items-center gap-2">
          <Badge tone={isActive ? 'good' : 'bad'}>{t(`statuses.${provider.status}`)}</Badge>
          {provider.is_from_environment && <Badge>{t('providers.fromEnvironment')}</Badge>}
          {mayChange && (
            <RowMenu name={name}>
              <MenuItem onSelect={() => setOpen('change')}>{t('change')}</MenuItem>
              <MenuItem onSelect={() => setOpen('toggle')}>{t(isActive ? 'disable' : 'enable')}</MenuItem>
              <MenuItem isDangerous onSelect={() => setOpen('delete')}>
                {t('delete')}
              </MenuItem>
            </RowMenu>
          )}
        </span>
      }
    >
      <dl className="mb-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <Fact name={t('providers.issuer')} value={provider.issuer} />
        <Fact name={t('providers.slug')} value={provider.slug} />
        <Fact name={t('providers.clientId')} value={provider.client_id} />
        <Fact name={t('providers.scopes')} value={provider.scopes.join(' ')} />
        <Fact name={t('providers.mappings')} value={t('providers.mappingCount', { count: provider.role_mappings.length })} />
        <Fact name={t('providers.signUp')} value={t(provider.allow_sign_up ? 'yes' : 'no')} />
      </dl>
      <div className="flex flex-col gap-3">
        {mayWrite && (
          <Button size="small" className="self-start" isBusy={test.isPending} onClick={() => test.mutate()}>
            {t('providers.test')}
          </Button>
        )}
        {test.error && <ProblemNote error={test.error} />}
        {test.data && (
          <Note tone={test.data.ok ? 'good' : 'bad'} role="status">
            {test.data.ok ? (
              <p>{t('providers.testOk', { count: test.data.keys })}</p>
            ) : (
              <>
                <p className="font-medium">{t('providers.testFailed')}</p>
                <p>{test.data.message}</p>
              </>
            )}
          </Note>
        )}
      </div>
      {open === 'change' && <ProviderDialog provider={provider} onClose={close} />}
      <ConfirmDialog
        isOpen={open === 'toggle'}
        onClose={close}
        title={t(isActive ? 'providers.disableTitle' : 'providers.enableTitle', { name })}
        action={t(isActive ? 'disable' : 'enable')}
        onConfirm={() => toggle.mutateAsync()}
      >
        {t(isActive ? 'providers.disableText' : 'providers.enableText')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={open === 'delete'}
        onClose={close}
        title={t('providers.deleteTitle', { name })}
        action={t('delete')}
        onConfirm={() => remove.mutateAsync()}
      >
        {t('providers.deleteText')}
      </ConfirmDialog>
    </Card>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{value}</dd>
    </>
  );
}
