import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ReportPeriod, type ReportSpan } from '../../../api/usage.ts';
import { Input, Select } from '../../../ui/field.tsx';
import { dayBefore, toEarliestSince } from '../report-span.ts';

interface SpanChoiceProps {
  span: ReportSpan;
  /** Days can be chosen, not periods alone. */
  hasDays: boolean;
  /** Nothing else can be chosen. */
  isFixed: boolean;
  onSpan: (span: ReportSpan) => void;
}

const PERIODS = ['24h', '7d', '30d'] as const;
const DAYS = 'days';

/** Which time a report is of: a period that ends now, or days from one to another. */
export function SpanChoice({ span, hasDays, isFixed, onSpan }: SpanChoiceProps) {
  const { t } = useTranslation('usage');
  const chosen = 'since' in span ? span : undefined;
  const choose = (value: string) => {
    const today = Date.now();
    if (value === DAYS) onSpan({ since: dayBefore(today, 6), until: dayBefore(today, 0) });
    else onSpan({ period: value as ReportPeriod });
  };
  return (
    <>
      <Select
        aria-label={t('period')}
        value={'period' in span ? span.period : DAYS}
        disabled={isFixed}
        onChange={({ target }) => choose(target.value)}
      >
        {PERIODS.map((one) => (
          <option key={one} value={one}>
            {t('lastPeriod', { period: t(`periods.${one}`) })}
          </option>
        ))}
        {hasDays && <option value={DAYS}>{t('days.choose')}</option>}
      </Select>
      {chosen && <DayInputs span={chosen} onSpan={onSpan} />}
    </>
  );
}

/** The first and the last day: one that is moved past the other takes it along. */
function DayInputs({ span: { since, until }, onSpan }: { span: { since: string; until: string }; onSpan: (span: ReportSpan) => void }) {
  const { t } = useTranslation('usage');
  const [now] = useState(Date.now);
  const today = dayBefore(now, 0);
  const change = (days: { since: string; until: string }) => {
    // An input that is being written is empty.
    if (days.since !== '' && days.until !== '') onSpan(days);
  };
  return (
    <>
      <Input
        type="date"
        aria-label={t('days.since')}
        className="w-auto"
        value={since}
        min={toEarliestSince(until)}
        max={today}
        onChange={({ target: { value } }) => change({ since: value, until: value > until ? value : until })}
      />
      <Input
        type="date"
        aria-label={t('days.until')}
        className="w-auto"
        value={until}
        max={today}
        onChange={({ target: { value } }) => change({ since: value < since ? value : since, until: value })}
      />
    </>
  );
}
