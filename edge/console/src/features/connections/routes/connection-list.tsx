import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { Plus, PlugZap, RotateCcwKey } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { CardPlaceholder, VirtualGrid } from '../../../ui/virtual-grid.tsx';
import { ConnectDialog } from '../components/connect-dialog.tsx';
import { ConnectionCard } from '../components/connection-card.tsx';
import { type ConnectionSearchParams } from '../components/connection-search-params.ts';
import { ConnectionToolbar } from '../components/connection-toolbar.tsx';
import { RotateSecretsDialog } from '../components/rotate-secrets-dialog.tsx';
import { connectionUsageQuery, turnsInFlightQuery } from '../queries/connection-usage.ts';
import { useConnectionDetailLevel } from '../queries/use-connection-detail-level.ts';
import { useConnectionRows } from '../queries/use-connection-rows.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/connections')({ component: ConnectionListPage });

/** In pixels, of one that takes turns. */
const CARD_HEIGHT = 210;

function ConnectionListPage() {
  const { t } = useTranslation('connections');
  const { workspaceId } = Route.useParams();
  const search: ConnectionSearchParams = Route.useSearch();
  const navigate = Route.useNavigate();
  const may = usePermissionCheck();
  const sight = useConnectionDetailLevel(workspaceId);
  const { q = '', status, provider } = search;
  const rows = useConnectionRows(workspaceId, sight, { status, provider, text: q });
  const usage = useQuery({ ...connectionUsageQuery(workspaceId), enabled: may('usage.read', workspaceId) });
  const inFlight = useQuery({ ...turnsInFlightQuery(workspaceId), enabled: may('requests.read', workspaceId) });
  const [isRotating, setRotating] = useState(false);
  const mayConnect = may('connections.write', workspaceId);
  const isNarrowed = q !== '' || status !== undefined || provider !== undefined;
  const narrow = (change: ConnectionSearchParams) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true });
  const connect = (isOpen: boolean) => narrow({ connect: isOpen || undefined });
  const cardOf = (index: number) => {
    const row = rows.rowAt(index);
    if (!row) return <CardPlaceholder height={CARD_HEIGHT} />;
    const { id } = row.connection;
    return (
      <ConnectionCard
        workspaceId={workspaceId}
        connection={row.connection}
        readAt={row.readAt}
        usage={usage.data?.get(id)}
        inFlight={inFlight.data && (inFlight.data.get(id) ?? 0)}
      />
    );
  };
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          {may('secrets.rotate') && (
            <Button onClick={() => setRotating(true)}>
              <RotateCcwKey className="size-4" aria-hidden />
              {t('rotate.action')}
            </Button>
          )}
          {mayConnect && (
            <Button look="primary" onClick={() => connect(true)}>
              <Plus className="size-4" aria-hidden />
              {t('connect.action')}
            </Button>
          )}
        </>
      }
    >
      {rows.error && <ProblemNote error={rows.error} onRetry={rows.refetch} />}
      {rows.isPending ? (
        <Skeleton />
      ) : rows.count === 0 && !isNarrowed && !rows.error ? (
        <EmptyState
          icon={PlugZap}
          title={t('empty.title')}
          action={
            mayConnect && (
              <Button look="primary" onClick={() => connect(true)}>
                {t('connect.action')}
              </Button>
            )
          }
        >
          {t(mayConnect ? 'empty.text' : 'empty.ask')}
        </EmptyState>
      ) : (
        <>
          <ConnectionToolbar search={search} workspaceId={workspaceId} onChange={narrow} />
          <p role="status" className="text-sm text-muted">
            {t('count', { count: rows.count })}
          </p>
          {rows.count === 0 && (
            <EmptyState icon={PlugZap} title={t('none.title')}>
              {t('none.text')}
            </EmptyState>
          )}
          <VirtualGrid label={t('title')} count={rows.count} minWidth={320} estimatedHeight={CARD_HEIGHT} onSight={rows.onSight}>
            {cardOf}
          </VirtualGrid>
        </>
      )}
      {mayConnect && <ConnectDialog workspaceId={workspaceId} isOpen={search.connect === true} onClose={() => connect(false)} />}
      <RotateSecretsDialog isOpen={isRotating} onClose={() => setRotating(false)} />
    </Page>
  );
}
