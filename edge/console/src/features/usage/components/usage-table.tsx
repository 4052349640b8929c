import { type ColumnDef } from '@tanstack/react-table';
import { useTranslation } from 'react-i18next';
import { type Grouping, type UsageGroup } from '../../../api/usage.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { useGroupName } from '../use-group-name.ts';

/** Every number of a report. */
export function UsageTable({ groups, by }: { groups: readonly UsageGroup[]; by: Grouping }) {
  const { t } = useTranslation('usage');
  const format = useFormatter();
  const nameOf = useGroupName(by);
  const count = (id: string, value: (group: UsageGroup) => number): ColumnDef<UsageGroup> => ({
    id,
    header: t(`series.${id}`),
    size: 104,
    cell: ({ row }) => <span className="tabular-nums">{format.number(value(row.original))}</span>,
  });
  const time = (id: string, value: (group: UsageGroup) => number): ColumnDef<UsageGroup> => ({
    id,
    header: t(`times.${id}`),
    size: 116,
    cell: ({ row }) => {
      const ms = value(row.original);
      return <span className="tabular-nums">{ms === 0 ? '–' : format.milliseconds(ms)}</span>;
    },
  });
  const columns: ColumnDef<UsageGroup>[] = [
    { id: 'group', header: t(`by.${by}`), size: 160, meta: { isWide: true }, cell: ({ row }) => nameOf(row.original) },
    count('requests', ({ requests }) => requests),
    count('errors', ({ errors }) => errors),
    count('rate_limited', ({ rate_limited }) => rate_limited),
    count('tokens_in', ({ tokens_in }) => tokens_in),
    count('tokens_out', ({ tokens_out }) => tokens_out),
    time('audio', ({ audio_ms }) => audio_ms),
    time('first_p50', ({ first_token }) => first_token.p50_ms),
    time('first_p95', ({ first_token }) => first_token.p95_ms),
    time('total_p50', ({ duration }) => duration.p50_ms),
    time('total_p95', ({ duration }) => duration.p95_ms),
    time('total_p99', ({ duration }) => duration.p99_ms),
  ];
  return (
    <DataTable label={t('tableOf', { by: t(`inText.${by}`) })} rows={groups} rowId={({ id }) => id} columns={columns} rowHeight={40} />
  );
}
