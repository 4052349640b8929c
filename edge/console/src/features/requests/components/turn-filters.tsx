import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Select } from '../../../ui/field.tsx';
import { recentUsageQuery } from '../queries/turns.ts';
import { SINCE_CHOICES, type SinceChoice, TURN_STATUSES, type TurnStatus } from '../turn-filter-choices.ts';

/** The values of the filters. */
export interface TurnFilterValues {
  status?: TurnStatus | undefined;
  since?: SinceChoice | undefined;
  key?: string | undefined;
  connection?: string | undefined;
  model?: string | undefined;
  error?: string | undefined;
  slower?: number | undefined;
}

const SLOWER_MS = [1000, 5000, 10_000, 30_000] as const;

/** Choices that narrow the list; keys, connections and models are those that were used in the last 30 days. */
export function TurnFilters({
  workspaceId,
  filters,
  onChange,
}: {
  workspaceId: string;
  filters: TurnFilterValues;
  onChange: (part: TurnFilterValues) => void;
}) {
  const { t } = useTranslation('requests');
  const format = useFormatter();
  const { data: keys = [] } = useQuery(recentUsageQuery(workspaceId, 'key'));
  const { data: connections = [] } = useQuery(recentUsageQuery(workspaceId, 'connection'));
  const { data: models = [] } = useQuery(recentUsageQuery(workspaceId, 'model'));
  const codes = [...new Set(keys.flatMap(({ errors_by_code }) => errors_by_code.map(({ code }) => code)))].toSorted();
  const named = (groups: typeof keys) =>
    groups.filter(({ id }) => id !== '').map(({ id, name }) => ({ value: id, name: name ?? `${id.slice(0, 8)}…` }));
  const choices = [
    { field: 'status', options: TURN_STATUSES.map((one) => ({ value: one, name: t(`status.${one}`) })) },
    { field: 'since', options: SINCE_CHOICES.map((one) => ({ value: one, name: t(`since.${one}`) })) },
    { field: 'key', options: named(keys) },
    { field: 'connection', options: named(connections) },
    { field: 'model', options: named(models) },
    { field: 'error', options: codes.map((code) => ({ value: code, name: code })) },
    { field: 'slower', options: SLOWER_MS.map((ms) => ({ value: String(ms), name: t('slowerThan', { time: format.milliseconds(ms) }) })) },
  ] as const;
  return (
    <div role="group" aria-label={t('filters')} className="flex flex-wrap items-center gap-2">
      {choices.map(({ field, options }) => (
        <Select
          key={field}
          aria-label={t(`filter.${field}`)}
          className="max-w-52"
          value={String(filters[field] ?? '')}
          onChange={({ target: { value } }) => onChange({ [field]: value === '' ? undefined : field === 'slower' ? Number(value) : value })}
        >
          <option value="">{t(`any.${field}`)}</option>
          {options.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      ))}
    </div>
  );
}
