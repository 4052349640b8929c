import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type ReportPeriod } from '../../../api/usage.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Card } from '../../../ui/card.tsx';
import { Chart } from '../../../ui/chart.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { ownReportQuery } from '../queries/usage.ts';
import { useGroupName } from '../use-group-name.ts';
import { OwnKeysUsage } from './own-keys-usage.tsx';
import { StatTile, StatTileGrid } from './stat-tile.tsx';

/** What the person did by hand in a workspace. */
export function OwnUsage({ workspaceId, period }: { workspaceId: string; period: ReportPeriod }) {
  const { t } = useTranslation('usage');
  const format = useFormatter();
  const nameOf = useGroupName('day');
  const { data, error, refetch } = useQuery(ownReportQuery(workspaceId, period));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton />;
  const words = { asTable: t('asTable'), asChart: t('asChart') };
  const failed = data.errors;
  return (
    <>
      <p className="text-sm text-muted">{t('ownHint')}</p>
      <StatTileGrid>
        <StatTile name={t('series.requests')} value={format.number(data.total_requests)} />
        <StatTile name={t('series.errors')} value={format.number(failed)} />
        <StatTile name={t('series.tokens_in')} value={format.number(data.total_tokens_in)} />
        <StatTile name={t('series.tokens_out')} value={format.number(data.total_tokens_out)} />
      </StatTileGrid>
      <Card title={t('chartOf', { measure: t('measures.requests'), by: t('inText.day') })}>
        <Chart
          label={t('chartOf', { measure: t('measures.requests'), by: t('inText.day') })}
          rowLabel={t('by.day')}
          rows={data.by_day.map(({ date, requests }) => ({ id: date, values: { requests } }))}
          series={[{ key: 'requests', name: t('series.requests'), tone: 'accent' }]}
          kind="bars"
          format={format.number}
          formatRow={(id) => nameOf({ id, name: null })}
          words={words}
        />
      </Card>
      <OwnKeysUsage workspaceId={workspaceId} period={period} />
      {data.by_model.length > 0 && (
        <Card title={t('chartOf', { measure: t('measures.tokens'), by: t('inText.model') })}>
          <Chart
            label={t('chartOf', { measure: t('measures.tokens'), by: t('inText.model') })}
            rowLabel={t('by.model')}
            rows={data.by_model.map(({ model, tokens_in, tokens_out }) => ({ id: model || t('none'), values: { tokens_in, tokens_out } }))}
            series={[
              { key: 'tokens_in', name: t('series.tokens_in'), tone: 'accent' },
              { key: 'tokens_out', name: t('series.tokens_out'), tone: 'good' },
            ]}
            kind="bars"
            format={format.number}
            formatRow={(id) => id}
            words={words}
          />
        </Card>
      )}
    </>
  );
}
