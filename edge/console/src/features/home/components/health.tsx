import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, PlugZap, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { buttonVariants } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { type Connection, someConnectionsQuery, gatewayStatusQuery } from '../queries/home.ts';

/** More are counted, and shown on their own page. */
const SHOWN = 5;
const PARTS = ['database', 'broker', 'chat-routing', 'conversation', 'usage', 'asset', 'audio', 'actions'] as const;

/** Whether everything is well, in plain words: the gateway for who may see it, and the connections of the workspace. */
export function Health({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('home');
  const may = usePermissionCheck();
  const isMember = may('data.read', workspaceId);
  const status = useQuery({ ...gatewayStatusQuery(workspaceId), enabled: may('status.read') });
  const connections = useQuery(someConnectionsQuery(workspaceId, isMember));
  const broken = Object.entries(status.data?.readiness.checks ?? {}).filter(([, { ok }]) => !ok);
  // Those that were disabled are so on purpose.
  const troubled = connections.data?.filter(({ status: state }) => state !== 'active' && state !== 'disabled') ?? [];
  const usable = connections.data?.filter(({ status: state }) => state === 'active') ?? [];
  const error = status.error ?? connections.error;
  const mayConnect = may('connections.write', workspaceId);
  if (connections.data?.length === 0 && broken.length === 0) {
    return (
      <Card title={t('health.title')}>
        <EmptyState
          icon={PlugZap}
          title={t('health.noConnection')}
          action={
            mayConnect && (
              <Link
                to="/w/$workspaceId/connections"
                params={{ workspaceId }}
                search={{ connect: true }}
                className={buttonVariants({ look: 'primary' })}
              >
                {t('health.connect')}
              </Link>
            )
          }
        >
          {t(mayConnect ? 'health.noConnectionText' : 'health.noConnectionAsk')}
        </EmptyState>
      </Card>
    );
  }
  const isKnown = connections.data !== undefined && !(status.isPending && may('status.read'));
  return (
    <Card title={t('health.title')}>
      {error && (
        <ProblemNote
          error={error}
          onRetry={() => {
            void status.refetch();
            void connections.refetch();
          }}
        />
      )}
      {!isKnown && !error && <Skeleton rows={2} />}
      {isKnown && (
        <div role="status" className="flex flex-col gap-3">
          <Verdict broken={broken.length} troubled={troubled.length} usable={usable.length} />
          <ul className="flex flex-col gap-1.5 text-sm empty:hidden">
            {broken.map(([name, { detail }]) => (
              <li key={name}>
                <span className="font-medium">{t('health.partFails', { part: partName(name) })}</span>{' '}
                {detail && <span className="text-muted">{detail}</span>}
              </li>
            ))}
            {troubled.slice(0, SHOWN).map((connection) => (
              <TroubledConnection key={connection.id} workspaceId={workspaceId} connection={connection} />
            ))}
          </ul>
          <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            <Link to="/w/$workspaceId/connections" params={{ workspaceId }} className="text-accent underline">
              {t('health.all', { count: connections.data?.length ?? 0 })}
            </Link>
            {status.data && <span className="text-muted">{t('health.version', { version: status.data.version })}</span>}
          </p>
        </div>
      )}
    </Card>
  );

  function partName(name: string): string {
    const known = PARTS.find((part) => part === name);
    return known ? t(`parts.${known}`) : name;
  }
}

function Verdict({ broken, troubled, usable }: { broken: number; troubled: number; usable: number }) {
  const { t } = useTranslation('home');
  if (broken > 0)
    return (
      <Line icon={CircleAlert} look="text-bad">
        {t('health.broken', { count: broken })}
      </Line>
    );
  if (usable === 0)
    return (
      <Line icon={CircleAlert} look="text-bad">
        {t('health.noneUsable')}
      </Line>
    );
  if (troubled > 0)
    return (
      <Line icon={TriangleAlert} look="text-warn">
        {t('health.someTroubled', { count: troubled, usable })}
      </Line>
    );
  return (
    <Line icon={CircleCheck} look="text-good">
      {t('health.well', { count: usable })}
    </Line>
  );
}

function Line({ icon: Icon, look, children }: { icon: typeof CircleCheck; look: string; children: string }) {
  return (
    <p className="flex items-start gap-2 font-medium">
      <Icon className={`mt-0.5 size-5 shrink-0 ${look}`} aria-hidden />
      {children}
    </p>
  );
}

function TroubledConnection({ workspaceId, connection: { id, label, status } }: { workspaceId: string; connection: Connection }) {
  const { t } = useTranslation('home');
  return (
    <li>
      <Link to="/w/$workspaceId/connections/$connectionId" params={{ workspaceId, connectionId: id }} className="font-medium underline">
        {label}
      </Link>{' '}
      <span className="text-muted">{t(`trouble.${status}`)}</span>
    </li>
  );
}
