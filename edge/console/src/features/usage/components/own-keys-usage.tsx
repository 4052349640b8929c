import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type ReportPeriod } from '../../../api/usage.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Card } from '../../../ui/card.tsx';
import { Chart } from '../../../ui/chart.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { ownKeysReportQuery } from '../queries/usage.ts';
import { useGroupName } from '../use-group-name.ts';

/** What the own keys of a person were used for in a workspace; nothing while there is no such use. */
export function OwnKeysUsage({ workspaceId, period }: { workspaceId: string; period: ReportPeriod }) {
  const { t } = useTranslation('usage');
  const format = useFormatter();
  const nameOf = useGroupName('key');
  const { data: groups = [], error, refetch } = useQuery(ownKeysReportQuery(workspaceId, period));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (groups.length === 0) return null;
  const names = new Map(groups.map(({ id, name }) => [id, nameOf({ id, name })]));
  const title = t('chartOf', { measure: t('measures.requests'), by: t('inText.key') });
  return (
    <Card title={title}>
      <Chart
        label={title}
        rowLabel={t('by.key')}
        rows={groups.map(({ id, requests }) => ({ id, values: { requests } }))}
        series={[{ key: 'requests', name: t('series.requests'), tone: 'accent' }]}
        kind="bars"
        format={format.number}
        formatRow={(id) => names.get(id) ?? id}
        words={{ asTable: t('asTable'), asChart: t('asChart') }}
      />
    </Card>
  );
}
