import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type ReportPeriod } from '../../../api/quota.ts';
import { useMay } from '../../../session/use-may.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/field.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { GROUPINGS, type Measure, type UsageScope } from '../choices.ts';
import { CsvButton } from '../components/csv-button.tsx';
import { ErrorsByCode } from '../components/errors-by-code.tsx';
import { NearQuotas } from '../components/near-quotas.tsx';
import { OwnUsage } from '../components/own-usage.tsx';
import { Totals } from '../components/totals.tsx';
import { UsageChart } from '../components/usage-chart.tsx';
import { UsageTable } from '../components/usage-table.tsx';
import { reportQuery } from '../queries/usage.ts';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/usage')({ component: UsagePage });

type By = (typeof GROUPINGS)[number];

const PERIODS = ['24h', '7d', '30d'] as const;

/** What the person may see, the usual one first. */
function useScopes(workspaceId: string): UsageScope[] {
  const may = useMay();
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
  const period = by === 'hour' && scope !== 'own' ? '24h' : (search.period ?? '7d');
  const change = (part: Partial<typeof search>) => void navigate({ search: (old) => ({ ...old, ...part }), replace: true });
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
      {scope !== 'own' && (
        <Select aria-label={t('sumBy')} value={by} onChange={({ target }) => change({ by: target.value as By })}>
          {GROUPINGS.filter((one) => one !== 'workspace' || isAll).map((one) => (
            <option key={one} value={one}>
              {t('perGroup', { by: t(`by.${one}`) })}
            </option>
          ))}
        </Select>
      )}
      <Select
        aria-label={t('period')}
        value={period}
        disabled={by === 'hour' && scope !== 'own'}
        onChange={({ target }) => change({ period: target.value as ReportPeriod })}
      >
        {PERIODS.map((one) => (
          <option key={one} value={one}>
            {t('lastPeriod', { period: t(`periods.${one}`) })}
          </option>
        ))}
      </Select>
      {scope !== 'own' && <CsvButton of={{ workspaceId: isAll ? 'all' : workspaceId, by, period }} />}
    </>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={choices}>
      {scope === 'own' ? (
        <OwnUsage workspaceId={workspaceId} period={period} />
      ) : (
        <Report {...{ workspaceId, isAll, by, period, show }} onShow={(measure) => change({ show: measure })} />
      )}
    </Page>
  );
}

interface ReportProps {
  workspaceId: string;
  isAll: boolean;
  by: By;
  period: ReportPeriod;
  show: Measure;
  onShow: (measure: Measure) => void;
}

function Report({ workspaceId, isAll, by, period, show, onShow }: ReportProps) {
  const { t } = useTranslation('usage');
  const { data: groups, error, refetch } = useQuery(reportQuery({ workspaceId, isAll, by, period }));
  const { data: wholes } = useQuery({ ...reportQuery({ workspaceId, isAll: false, by: 'workspace', period }), enabled: !isAll });
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!groups) return <Skeleton />;
  if (groups.every(({ requests }) => requests === 0)) {
    return (
      <>
        <EmptyState icon={ChartColumn} title={t('empty.title')}>
          {t('empty.text')}
        </EmptyState>
        <NearQuotas workspaceId={workspaceId} isAll={isAll} />
      </>
    );
  }
  return (
    <>
      <Totals groups={groups} whole={isAll ? undefined : wholes?.find(({ id }) => id === workspaceId)} />
      <UsageChart groups={groups} by={by} measure={show} onMeasure={onShow} />
      <UsageTable groups={groups} by={by} />
      <div className="grid gap-4 lg:grid-cols-2">
        <ErrorsByCode groups={groups} />
        <NearQuotas workspaceId={workspaceId} isAll={isAll} />
      </div>
      <p className="text-sm text-muted">{t('utc')}</p>
    </>
  );
}
