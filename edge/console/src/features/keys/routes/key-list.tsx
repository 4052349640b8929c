import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { filterNearLimit } from '../../../api/quota.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { sessionQuery, ownWorkspacesQuery } from '../../../session/queries.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/field.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useGrowingList } from '../../../ui/use-growing-list.ts';
import { CreateKeyDialog } from '../components/create-key-dialog.tsx';
import { EditKeyDialog } from '../components/edit-key-dialog.tsx';
import { keyColumns } from '../components/key-columns.tsx';
import { type KeyStatus } from '../key-status.ts';
import {
  firstPageQueryKey,
  type ApiKey,
  type KeyListScope,
  membersQuery,
  updateCachedKey,
  readKeys,
  nextPagesQueryKey,
  revokeKey,
} from '../queries/keys.ts';
import { useKeyRequestCounts } from '../queries/use-key-request-counts.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/keys')({ component: KeyListPage });

const STATUSES = ['active', 'expired', 'revoked'] as const;

function KeyListPage() {
  const { t } = useTranslation('keys');
  const { workspaceId } = Route.useParams();
  const may = usePermissionCheck();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = may('keys.write', workspaceId) || may('own_keys.write', workspaceId);
  const create = mayCreate && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus className="size-4" aria-hidden />
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={create}>
      <KeyList key={workspaceId} workspaceId={workspaceId} create={create} />
      {isCreating && <CreateKeyDialog workspaceId={workspaceId} onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** The scopes that the person may see, the usual one first. */
function useScopes(workspaceId: string): KeyListScope[] {
  const may = usePermissionCheck();
  const seesAll = may('keys.read', workspaceId);
  const hasOwn = may('own_keys.write', workspaceId);
  return [...(seesAll ? ['workspace' as const] : []), ...(hasOwn ? ['own' as const] : []), ...(may('keys.read') ? ['all' as const] : [])];
}

function KeyList({ workspaceId, create }: { workspaceId: string; create: React.ReactNode }) {
  const { t } = useTranslation('keys');
  const format = useFormatter();
  const may = usePermissionCheck();
  const queries = useQueryClient();
  const navigate = Route.useNavigate();
  const search = Route.useSearch();
  const scopes = useScopes(workspaceId);
  const scope = scopes.find((one) => one === search.scope) ?? scopes[0] ?? 'own';
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: workspaces } = useSuspenseQuery(ownWorkspacesQuery);
  const { data: members } = useQuery({ ...membersQuery(workspaceId), enabled: scope !== 'own' && may('members.read', workspaceId) });
  const [edited, setEdited] = useState<ApiKey>();
  const [revoked, setRevoked] = useState<ApiKey>();
  const { q, status, sort } = search;
  const user = scope === 'workspace' ? search.user : undefined;
  const filter = { search: q, status, user, sort };
  const list = useGrowingList({
    headKey: firstPageQueryKey(workspaceId, scope, filter),
    restKey: nextPagesQueryKey(workspaceId, scope, filter),
    read: (from: string | undefined) => readKeys(workspaceId, scope, filter, from),
  });
  const mayUse = scope === 'own' || may('usage.read', scope === 'all' ? undefined : workspaceId);
  const requestsOf = useKeyRequestCounts(workspaceId, scope, mayUse);

  const mayWrite = (key: ApiKey) => may('keys.write', key.workspace_id);
  const isOwn = (key: ApiKey) => !mayWrite(key) && key.user_id === session.user.id;
  const mayChange = scope === 'own' || may('keys.write', scope === 'all' ? undefined : workspaceId);
  const columns = useMemo(
    () =>
      keyColumns({
        t,
        requestsOf,
        userNames: scope === 'own' ? undefined : new Map(members?.map(({ user_id, display_name }) => [user_id, display_name])),
        workspaceNames: scope === 'all' ? new Map(workspaces.map(({ id, name }) => [id, name])) : undefined,
        onEdit: mayChange ? setEdited : undefined,
        onRevoke: mayChange ? setRevoked : undefined,
      }),
    [t, requestsOf, scope, members, workspaces, mayChange, setEdited, setRevoked],
  );
  const isNarrowed = Boolean(q) || status !== undefined || user !== undefined;
  const near = list.rows.filter(({ revoked_at, quota_use = [] }) => revoked_at === null && filterNearLimit(quota_use).length > 0);
  const change = (part: Partial<typeof search>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });

  if (list.error) return <ProblemNote error={list.error} onRetry={list.refetch} />;
  return (
    <>
      <div role="search" className="flex flex-wrap items-center gap-2">
        <SearchBox label={t('search')} value={q ?? ''} onSearch={(text) => change({ q: text || undefined })} className="w-full sm:w-80" />
        <Select
          aria-label={t('columns.status')}
          value={status ?? ''}
          onChange={({ target }) => change({ status: (target.value || undefined) as KeyStatus | undefined })}
        >
          <option value="">{t('status.any')}</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {t(`status.${one}`)}
            </option>
          ))}
        </Select>
        {scope === 'workspace' && members && members.length > 1 && (
          <Select aria-label={t('columns.user')} value={user ?? ''} onChange={({ target }) => change({ user: target.value || undefined })}>
            <option value="">{t('anyUser')}</option>
            {members.map(({ user_id, display_name }) => (
              <option key={user_id} value={user_id}>
                {display_name}
              </option>
            ))}
          </Select>
        )}
        {scopes.length > 1 && (
          <Select aria-label={t('scope.label')} value={scope} onChange={({ target }) => change({ scope: target.value as KeyListScope })}>
            {scopes.map((one) => (
              <option key={one} value={one}>
                {t(`scope.${one}`)}
              </option>
            ))}
          </Select>
        )}
      </div>
      {near.length > 0 && (
        <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
          {t('near', {
            count: near.length,
            names: near
              .slice(0, 5)
              .map(({ name }) => name)
              .join(', '),
          })}
        </p>
      )}
      {list.isPending && <Skeleton />}
      {!list.isPending && list.rows.length === 0 && (
        <EmptyState icon={KeyRound} title={t(isNarrowed ? 'none.title' : 'empty.title')} action={!isNarrowed && create}>
          {t(isNarrowed ? 'none.text' : 'empty.text')}
        </EmptyState>
      )}
      {list.rows.length > 0 && (
        <DataTable
          label={t('title')}
          rows={list.rows}
          rowId={({ id }) => id}
          columns={columns}
          rowHeight={64}
          sorting={sort === undefined ? [] : [{ id: sort.replace('-', ''), desc: sort.startsWith('-') }]}
          onSort={([first]) => change({ sort: first && `${first.desc ? '-' : ''}${first.id}` })}
          hasMore={list.hasMore}
          isReadingMore={list.isReadingMore}
          onMore={list.readMore}
          footer={t(list.hasMore ? 'footer.more' : 'footer.all', { count: list.rows.length, number: format.number(list.rows.length) })}
        />
      )}
      {edited && <EditKeyDialog keyRow={edited} workspaceId={workspaceId} isOwn={isOwn(edited)} onClose={() => setEdited(undefined)} />}
      <ConfirmDialog
        isOpen={revoked !== undefined}
        onClose={() => setRevoked(undefined)}
        title={t('revokeTitle', { name: revoked?.name })}
        action={t('revoke')}
        onConfirm={async () => {
          if (!revoked) return;
          updateCachedKey(queries, workspaceId, await revokeKey(revoked, isOwn(revoked)));
          announce(t('revokedNow', { name: revoked.name }));
        }}
      >
        {t('revokeText')}
      </ConfirmDialog>
    </>
  );
}
