import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Card } from '../../../ui/card.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { workspaceDayUsageQuery, hourlyUsageQuery } from '../queries/home.ts';
import { HourBars } from './hour-bars.tsx';
import { StatCard, StatCardGrid } from './stat-card.tsx';

/** The usage of the workspace in the last 24 hours; it is live. */
export function WorkspaceDayUsage({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('home');
  const format = useFormatter();
  const { data, error, isPending, refetch } = useQuery(workspaceDayUsageQuery(workspaceId));
  const hours = useQuery(hourlyUsageQuery(workspaceId));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton rows={2} />;
  const worst = data?.errors_by_code[0];
  const failed = data?.errors ?? 0;
  return (
    <>
      <StatCardGrid label={t('day.title')}>
        <StatCard label={t('day.requests')} value={format.compact(data?.requests ?? 0)}>
          {t('day.lastHours')}
        </StatCard>
        <StatCard label={t('day.errors')} value={format.compact(failed)} isBad={failed > 0}>
          {data && failed > 0
            ? t('day.share', { share: format.percent(failed / data.requests), code: worst?.code ?? '' })
            : t('day.noErrors')}
        </StatCard>
        <StatCard label={t('day.tokens')} value={format.compact((data?.tokens_in ?? 0) + (data?.tokens_out ?? 0))}>
          {t('day.inAndOut', { in: format.compact(data?.tokens_in ?? 0), out: format.compact(data?.tokens_out ?? 0) })}
        </StatCard>
        <StatCard
          label={t('day.firstToken')}
          value={data && data.first_token.count > 0 ? format.milliseconds(data.first_token.p50_ms) : t('day.nothing')}
        >
          {data && data.first_token.count > 0
            ? t('day.slowest', { time: format.milliseconds(data.first_token.p95_ms) })
            : t('day.lastHours')}
        </StatCard>
      </StatCardGrid>
      {hours.data && data && data.requests > 0 && (
        <Card
          title={t('hours.title')}
          actions={
            <Link to="/w/$workspaceId/usage" params={{ workspaceId }} className="text-sm text-accent underline">
              {t('hours.more')}
            </Link>
          }
        >
          <HourBars hours={hours.data} />
        </Card>
      )}
    </>
  );
}
