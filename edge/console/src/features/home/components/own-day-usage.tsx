import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ownDayUsageQuery } from '../queries/home.ts';
import { StatCard, StatCardGrid } from './stat-card.tsx';

/** The usage of the user on these pages in the last 24 hours, for users who may not see the whole workspace. */
export function OwnDayUsage({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('home');
  const format = useFormatter();
  const { data, error, isPending, refetch } = useQuery(ownDayUsageQuery(workspaceId));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton rows={2} />;
  const { total_requests: requests, errors, total_tokens_in: tokensIn, total_tokens_out: tokensOut, total_duration_ms: duration } = data;
  return (
    <StatCardGrid label={t('day.own')}>
      <StatCard label={t('day.ownRequests')} value={format.compact(requests)}>
        {t('day.lastHours')}
      </StatCard>
      <StatCard label={t('day.errors')} value={format.compact(errors)} isBad={errors > 0}>
        {errors > 0 ? format.percent(errors / requests) : t('day.noErrors')}
      </StatCard>
      <StatCard label={t('day.tokens')} value={format.compact(tokensIn + tokensOut)}>
        {t('day.inAndOut', { in: format.compact(tokensIn), out: format.compact(tokensOut) })}
      </StatCard>
      <StatCard label={t('day.meanTime')} value={requests > 0 ? format.milliseconds(duration / requests) : t('day.nothing')}>
        {t('day.lastHours')}
      </StatCard>
    </StatCardGrid>
  );
}
