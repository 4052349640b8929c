import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ReportSpan } from '../../../api/usage.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/field.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { GROUPINGS, type Measure, type UsageScope } from '../choices.ts';
import { CsvButton } from '../components/csv-button.tsx';
import { ErrorsByCode } from '../components/errors-by-code.tsx';
import { OwnUsage } from '../components/own-usage.tsx';
import { QuotasNearLimitCard } from '../components/quotas-near-limit-card.tsx';
import { SpanChoice } from '../components/span-choice.tsx';
import { Totals } from '../components/totals.tsx';
import { UsageChart } from '../components/usage-chart.tsx';
import { UsageTable } from '../components/usage-table.tsx';
import { reportQuery } from '../queries/usage.ts';
import { DETAIL_RETENTION_DAYS, isBeyondDetailRetention, toReportSpan } from '../report-span.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/usage')({ component: UsagePage });

type By = (typeof GROUPINGS)[number];

/** What the person may see, the usual one first. */
function useScopes(workspaceId: string): UsageScope[] {
  const may = usePermissionCheck();
  return [
    ...(may('usage.read', workspaceId) ? ['workspace' as const] : []),
    ...(may('data.read', workspaceId) ? ['own' as const] : []),
    ...(may('usage.read') ? ['all' as const] : []),
  ];
}

function UsagePage() {
  const { t } = useTranslation('usage');
  const { workspaceId } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const scopes = useScopes(workspaceId);
  const scope = scopes.find((one) => one === search.scope) ?? scopes[0] ?? 'own';
  const { by = 'day', show = 'requests' } = search;
  const isOwn = scope === 'own';
  // By the hour there are the last 24 hours only, and what a person does by hand is reported by periods.
  const isHourly = by === 'hour' && !isOwn;
  const span: ReportSpan = isHourly ? { period: '24h' } : toReportSpan(isOwn ? { period: search.period } : search);
  const change = (part: Partial<typeof search>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
  const changeSpan = (to: ReportSpan) => change({ period: undefined, since: undefined, until: undefined, ...to });
  const isAll = scope === 'all';
  const choices = (
    <>
      {scopes.length > 1 && (
        <Select aria-label={t('scope.label')} value={scope} onChange={({ target }) => change({ scope: target.value as UsageScope })}>
          {scopes.map((one) => (
            <option key={one} value={one}>
              {t(`scope.${one}`)}
            </option>
          ))}
        </Select>
      )}
      {!isOwn && (
        <Select aria-label={t('sumBy')} value={by} onChange={({ target }) => change({ by: target.value as By })}>
          {GROUPINGS.filter((one) => one !== 'workspace' || isAll).map((one) => (
            <option key={one} value={one}>
              {t('perGroup', { by: t(`inText.${one}`) })}
            </option>
          ))}
        </Select>
      )}
      <SpanChoice span={span} hasDays={!isOwn} isFixed={isHourly} onSpan={changeSpan} />
      {!isOwn && <CsvButton of={{ workspaceId: isAll ? 'all' : workspaceId, by, span }} />}
    </>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={choices}>
      {isOwn ? (
        <OwnUsage workspaceId={workspaceId} period={'period' in span ? span.period : '7d'} />
      ) : (
        <Report {...{ workspaceId, isAll, by, span, show }} onShow={(measure) => change({ show: measure })} />
      )}
    </Page>
  );
}

interface ReportProps {
  workspaceId: string;
  isAll: boolean;
  by: By;
  span: ReportSpan;
  show: Measure;
  onShow: (measure: Measure) => void;
}

function Report({ workspaceId, isAll, by, span, show, onShow }: ReportProps) {
  const { t } = useTranslation('usage');
  const [now] = useState(Date.now);
  const { data: groups, error, refetch } = useQuery(reportQuery({ workspaceId, isAll, by, span }));
  const { data: wholes } = useQuery({ ...reportQuery({ workspaceId, isAll: false, by: 'workspace', span }), enabled: !isAll });
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!groups) return <Skeleton />;
  if (groups.every(({ requests }) => requests === 0)) {
    return (
      <>
        <EmptyState icon={ChartColumn} title={t('empty.title')}>
          {t('empty.text')}
        </EmptyState>
        <QuotasNearLimitCard workspaceId={workspaceId} isAll={isAll} />
      </>
    );
  }
  return (
    <>
      <Totals groups={groups} whole={isAll ? undefined : wholes?.find(({ id }) => id === workspaceId)} />
      <UsageChart groups={groups} by={by} measure={show} onMeasure={onShow} />
      <UsageTable groups={groups} by={by} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <ErrorsByCode groups={groups} />
        <QuotasNearLimitCard workspaceId={workspaceId} isAll={isAll} />
      </div>
      <p className="text-sm text-muted">
        {t('utc')} {isBeyondDetailRetention(span, now) && t('beyondDetail', { count: DETAIL_RETENTION_DAYS })}
      </p>
    </>
  );
}
