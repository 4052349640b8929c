import { useTranslation } from 'react-i18next';
import { type Grouping, type UsageGroup } from '../../api/usage.ts';
import { getFormatter } from '../../i18n/formatter.ts';

/** How a group is called: days and hours as the reader writes them, in UTC, which the gateway counts in. */
export function useGroupName(by: Grouping): (group: Pick<UsageGroup, 'id' | 'name'>) => string {
  const { t, i18n } = useTranslation('usage');
  const { language } = getFormatter(i18n.language);
  const locale = language === 'zh' ? 'zh-Hans' : language;
  const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const hour = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });
  return ({ id, name }) => {
    if (by === 'day') return day.format(new Date(id));
    if (by === 'hour') return hour.format(new Date(id));
    return name ?? (id === '' ? t('none') : t('deleted', { id: id.slice(0, 8) }));
  };
}
