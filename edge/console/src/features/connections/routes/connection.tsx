import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { ArrowLeft, PlugZap } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { buttonVariants } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ConnectionCommands } from '../components/connection-commands.tsx';
import { ConnectionFigures } from '../components/connection-figures.tsx';
import { ConnectionModels } from '../components/connection-models.tsx';
import { ConnectionSettings } from '../components/connection-settings.tsx';
import { ConnectionStatus } from '../components/connection-status.tsx';
import { ConnectionTrouble } from '../components/connection-trouble.tsx';
import { LastFailures } from '../components/last-failures.tsx';
import { connectionUsageQuery, turnsInFlightQuery } from '../queries/connection-usage.ts';
import { type Connection, connectionQuery } from '../queries/connections.ts';
import { useConnectionDetailLevel } from '../queries/use-connection-detail-level.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/connections/$connectionId')({ component: ConnectionPage });

function ConnectionPage() {
  const { t } = useTranslation('connections');
  const { workspaceId, connectionId } = Route.useParams();
  const sight = useConnectionDetailLevel(workspaceId);
  const { data, error, isPending, dataUpdatedAt, refetch } = useQuery(connectionQuery(workspaceId, sight, connectionId));
  const back = (
    <Link to="/w/$workspaceId/connections" params={{ workspaceId }} className={buttonVariants({ look: 'ghost', size: 'small' })}>
      <ArrowLeft className="size-4 rtl:rotate-180" aria-hidden />
      {t('all')}
    </Link>
  );
  if (data) {
    return <ConnectionView workspaceId={workspaceId} connection={data} readAt={dataUpdatedAt} back={back} />;
  }
  return (
    <Page title={t('one')} actions={back}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton />}
      {data === null && (
        <EmptyState icon={PlugZap} title={t('gone.title')} action={back}>
          {t('gone.text')}
        </EmptyState>
      )}
    </Page>
  );
}

interface ConnectionViewProps {
  workspaceId: string;
  connection: Connection;
  readAt: number;
  back: React.ReactNode;
}

function ConnectionView({ workspaceId, connection, readAt, back }: ConnectionViewProps) {
  const { t } = useTranslation('connections');
  const format = useFormatter();
  const may = usePermissionCheck();
  const navigate = Route.useNavigate();
  const usage = useQuery({ ...connectionUsageQuery(workspaceId), enabled: may('usage.read', workspaceId) });
  const inFlight = useQuery({ ...turnsInFlightQuery(workspaceId), enabled: may('requests.read', workspaceId) });
  const { id, label, provider, base_url: baseUrl, created_at: createdAt, supports = [] } = connection;
  return (
    <Page
      title={label}
      lead={provider}
      actions={
        <>
          {back}
          <ConnectionCommands
            workspaceId={workspaceId}
            connection={connection}
            look="buttons"
            onRemoved={() => void navigate({ to: '/w/$workspaceId/connections', params: { workspaceId }, replace: true })}
          />
        </>
      }
    >
      <Card title={t('state')}>
        <div className="flex flex-col gap-4">
          <p className="flex flex-wrap gap-1.5" role="status">
            <ConnectionStatus connection={connection} />
            {connection.is_default && <Badge tone="accent">{t('isDefault')}</Badge>}
          </p>
          <ConnectionTrouble connection={connection} readAt={readAt} />
          <ConnectionFigures connection={connection} usage={usage.data?.get(id)} inFlight={inFlight.data && (inFlight.data.get(id) ?? 0)} />
          <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[auto_1fr] [&_dt]:text-muted">
            {baseUrl && (
              <>
                <dt>{t('fields.baseUrl')}</dt>
                <dd className="break-all">{baseUrl}</dd>
              </>
            )}
            <dt>{t('createdAt')}</dt>
            <dd>{format.dateTime(createdAt)}</dd>
            {supports.length > 0 && (
              <>
                <dt>{t('supports')}</dt>
                <dd className="flex flex-wrap gap-1">
                  {supports.map((name) => (
                    <Badge key={name}>{name}</Badge>
                  ))}
                </dd>
              </>
            )}
          </dl>
        </div>
      </Card>
      {may('requests.read', workspaceId) && <LastFailures workspaceId={workspaceId} connectionId={id} />}
      {connection.models && <ConnectionModels models={connection.models} resting={connection.resting_models ?? []} />}
      {may('connections.write', workspaceId) && <ConnectionSettings key={id} workspaceId={workspaceId} connection={connection} />}
    </Page>
  );
}
