import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { parseQuotaChoice } from './quota-choice.ts';

/** A quota in words. */
export function useQuotaText(): (text: string | null) => string {
  const { t } = useTranslation('settings');
  const format = useFormatter();
  return (text) => {
    const { kind, points, periods, unit } = parseQuotaChoice(text);
    if (kind !== 'limit') return t(`quota.${kind}`);
    const count = Number(periods);
    return t('quota.text', { points: format.number(Number(points)), period: t(`quota.periods.${unit}`, { count }) });
  };
}
