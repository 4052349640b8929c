import { useQuery } from '@tanstack/react-query';
import { type ColumnDef } from '@tanstack/react-table';
import { Plus, Route as RouteIcon } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { routeProfilesQuery, type RouteProfile, useProfileCommands } from '../queries/routing.ts';
import { RouteProfileDialog } from './route-profile-dialog.tsx';
import { RowCommands } from './row-commands.tsx';

/** The route profiles: named choices of connections, which requests select by a header. */
export function RouteProfilesTab({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('settings');
  const canWrite = usePermissionCheck()('route_profiles.write', workspaceId);
  const { data: profiles, error, refetch } = useQuery(routeProfilesQuery(workspaceId));
  const { remove } = useProfileCommands(workspaceId);
  const [edited, setEdited] = useState<RouteProfile | 'new'>();
  const [doomed, setDoomed] = useState<string>();
  const columns: ColumnDef<RouteProfile>[] = [
    { id: 'slug', header: t('profiles.slug'), size: 180, cell: ({ row }) => <code className="font-medium">{row.original.slug}</code> },
    { id: 'strategy', header: t('profiles.strategy'), size: 170, cell: ({ row }) => t(`profiles.strategies.${row.original.strategy}`) },
    {
      id: 'accounts',
      header: t('profiles.accounts'),
      size: 300,
      meta: { isWide: true },
      cell: ({ row: { original } }) => <Accounts profile={original} />,
    },
    { id: 'model', header: t('profiles.model'), size: 180, cell: ({ row }) => row.original.model ?? t('profiles.anyModel') },
  ];
  if (canWrite) {
    columns.push({
      id: 'commands',
      header: t('internal.commands'),
      size: 130,
      cell: ({ row: { original } }) => (
        <RowCommands name={original.slug} onEdit={() => setEdited(original)} onDelete={() => setDoomed(original.slug)} />
      ),
    });
  }
  const add = canWrite && (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus className="size-4" aria-hidden />
      {t('profiles.create')}
    </Button>
  );
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!profiles) return <Skeleton />;
  const [first] = profiles;
  return (
    <>
      {first ? (
        <>
          <div className="flex flex-wrap items-start justify-between gap-3">
            <p className="max-w-prose text-sm text-muted">{t('profiles.explained')}</p>
            {add}
          </div>
          <DataTable
            label={t('tabs.route-profiles')}
            rows={profiles}
            rowId={({ slug }) => slug}
            columns={columns}
            footer={t('profiles.count', { count: profiles.length })}
          />
          <Card title={t('profiles.use')}>
            <p className="mb-2 max-w-prose text-sm text-muted">{t('profiles.useText')}</p>
            <Snippet code={exampleOf(first.slug)} label={t('profiles.use')} />
          </Card>
        </>
      ) : (
        <EmptyState icon={RouteIcon} title={t('profiles.none')} action={add}>
          {t('profiles.explained')}
        </EmptyState>
      )}
      {edited && (
        <RouteProfileDialog
          workspaceId={workspaceId}
          profile={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
      <ConfirmDialog
        isOpen={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        title={t('profiles.deleteTitle', { name: doomed ?? '' })}
        action={t('profiles.delete')}
        onConfirm={() => remove.mutateAsync(doomed ?? '')}
      >
        {t('profiles.deleteText')}
      </ConfirmDialog>
    </>
  );
}

function Accounts({ profile: { account_labels: labels, strategy, weights } }: { profile: RouteProfile }) {
  const { t } = useTranslation('settings');
  if (labels.length === 0) return t('profiles.allAccounts');
  const named = labels.map((label, at) => (strategy === 'weighted' ? t('profiles.weighted', { label, weight: weights[at] ?? 1 }) : label));
  const text = named.join(t(strategy === 'priority' ? 'profiles.then' : 'profiles.and'));
  return <span title={text}>{text}</span>;
}

function exampleOf(slug: string): string {
  return [
    `curl ${location.origin}/v1/chat/completions \\`,
    '  -H "Authorization: Bearer $PARLEY_API_KEY" \\',
    `  -H "X-Service-Route-Profile: ${slug}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '{"model":"auto","messages":[{"role":"user","content":"Hello!"}]}'`,
  ].join('\n');
}
