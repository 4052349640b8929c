import { useTranslation } from 'react-i18next';
import { type Grouping, type UsageGroup } from '../../../api/usage.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Card } from '../../../ui/card.tsx';
import { Chart } from '../../../ui/chart.tsx';
import { Select } from '../../../ui/field.tsx';
import { type Measure, MEASURES } from '../choices.ts';
import { useGroupName } from '../use-group-name.ts';

interface UsageChartProps {
  groups: readonly UsageGroup[];
  by: Grouping;
  measure: Measure;
  onMeasure: (measure: Measure) => void;
}

/** Groups that a drawing has room for. */
const MAX_BARS = 20;

const SERIES = {
  requests: [
    ['successful', 'good'],
    ['errors', 'bad'],
    ['rate_limited', 'warn'],
  ],
  tokens: [
    ['tokens_in', 'accent'],
    ['tokens_out', 'good'],
  ],
  audio: [['audio_ms', 'accent']],
  latency: [
    ['p50_ms', 'good'],
    ['p90_ms', 'accent'],
    ['p95_ms', 'warn'],
    ['p99_ms', 'bad'],
  ],
  first_token: [
    ['p50_ms', 'good'],
    ['p90_ms', 'accent'],
    ['p95_ms', 'warn'],
    ['p99_ms', 'bad'],
  ],
} as const satisfies Record<Measure, readonly (readonly [string, string])[]>;

/** What the groups used, as a drawing or as numbers. */
export function UsageChart({ groups, by, measure, onMeasure }: UsageChartProps) {
  const { t } = useTranslation('usage');
  const format = useFormatter();
  const nameOf = useGroupName(by);
  const isTime = by === 'day' || by === 'hour';
  const drawn = isTime ? groups : groups.slice(0, MAX_BARS);
  const names = new Map(drawn.map((group) => [group.id, nameOf(group)]));
  const isLatency = measure === 'latency' || measure === 'first_token';
  const isCount = measure === 'requests' || measure === 'tokens';
  const title = t('chartOf', { measure: t(`measures.${measure}`), by: t(`inText.${by}`) });
  const rows = drawn.map((group) => ({ id: group.id, values: valuesOf(group, measure) }));
  const series = SERIES[measure].map(([key, tone]) => ({ key, tone, name: t(`series.${key}`) }));
  const select = (
    <Select aria-label={t('show')} value={measure} onChange={({ target }) => onMeasure(target.value as Measure)}>
      {MEASURES.map((one) => (
        <option key={one} value={one}>
          {t(`measures.${one}`)}
        </option>
      ))}
    </Select>
  );
  return (
    <Card title={title} actions={select}>
      <Chart
        label={title}
        rowLabel={t(`by.${by}`)}
        rows={rows}
        series={series}
        kind={isLatency ? 'lines' : 'bars'}
        format={isCount ? format.number : format.milliseconds}
        formatRow={(id) => names.get(id) ?? id}
        words={{ asTable: t('asTable'), asChart: t('asChart') }}
      />
      {drawn.length < groups.length && <p className="text-sm text-muted">{t('mostUsed', { count: MAX_BARS })}</p>}
    </Card>
  );
}

function valuesOf(group: UsageGroup, measure: Measure): Readonly<Record<string, number | undefined>> {
  if (measure === 'latency') return timesOf(group.duration);
  if (measure === 'first_token') return timesOf(group.first_token);
  const { successful, errors, rate_limited, tokens_in, tokens_out, audio_ms } = group;
  return { successful, errors, rate_limited, tokens_in, tokens_out, audio_ms };
}

/** Percentiles of nothing are not there. */
function timesOf({ count, ...percentiles }: UsageGroup['duration']): Readonly<Record<string, number | undefined>> {
  return count === 0 ? {} : percentiles;
}
