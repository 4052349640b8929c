import { useTranslation } from 'react-i18next';
import { type UsageGroup } from '../../../api/usage.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Card } from '../../../ui/card.tsx';

/** Which errors there were, most first; each leads to what it means. */
export function ErrorsByCode({ groups }: { groups: readonly UsageGroup[] }) {
  const { t } = useTranslation('usage');
  const format = useFormatter();
  const counts = new Map<string, number>();
  for (const { code, count } of groups.flatMap(({ errors_by_code }) => errors_by_code)) counts.set(code, (counts.get(code) ?? 0) + count);
  const errors = [...counts].toSorted(([, one], [, other]) => other - one);
  const most = errors[0]?.[1] ?? 1;
  return (
    <Card title={t('errorsByCode')}>
      {errors.length === 0 ? (
        <p className="text-sm text-muted">{t('noErrors')}</p>
      ) : (
        <ul className="flex flex-col gap-2 text-sm">
          {errors.map(([code, count]) => (
            <li key={code} className="flex flex-col gap-1">
              <span className="flex justify-between gap-3">
                <a href={`/console/errors#${code}`} className="min-w-0 truncate underline">
                  <code>{code}</code>
                </a>
                <span className="tabular-nums">{format.number(count)}</span>
              </span>
              <span aria-hidden className="block h-1.5 rounded-full bg-bad" style={{ width: `${(count / most) * 100}%` }} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
