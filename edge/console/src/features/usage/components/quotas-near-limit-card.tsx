import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Card } from '../../../ui/card.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { keysWithQuotaUseQuery, workspacesWithQuotaUseQuery } from '../queries/usage.ts';
import { listQuotasNearLimit, type QuotaNearLimit } from '../quotas-near-limit.ts';

interface QuotasNearLimitCardProps {
  workspaceId: string;
  isAll: boolean;
}

/** The quotas of keys and workspaces that are near their limit. */
export function QuotasNearLimitCard({ workspaceId, isAll }: QuotasNearLimitCardProps) {
  const { t } = useTranslation('usage');
  const { data: workspaces = [] } = useQuery(workspacesWithQuotaUseQuery(workspaceId, isAll));
  const { data: keys = [] } = useQuery(keysWithQuotaUseQuery(workspaceId, isAll));
  const near = [
    ...listQuotasNearLimit(workspaces).map((quota) => ({ of: 'workspace' as const, quota })),
    ...listQuotasNearLimit(keys).map((quota) => ({ of: 'key' as const, quota })),
  ];
  return (
    <Card title={t('nearQuotas')}>
      {near.length === 0 ? (
        <p className="text-sm text-muted">{t('noneNear')}</p>
      ) : (
        <ul className="flex flex-col gap-3 text-sm">
          {near.map(({ of, quota }) => (
            <NearItem key={`${quota.id} ${quota.metric}`} of={of} quota={quota} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function NearItem({
  of,
  quota: { name, metric, used, limit, window_seconds, window_ends_at },
}: {
  of: 'key' | 'workspace';
  quota: QuotaNearLimit;
}) {
  const { t } = useTranslation('usage');
  const format = useFormatter();
  const label = t(`nearOf.${of}`, { name, metric: t(`metrics.${metric}`) });
  return (
    <li className="flex flex-col gap-1">
      <span className="truncate">{label}</span>
      <Meter
        label={label}
        value={used}
        max={limit}
        text={t('usedOf', { used: format.number(used), limit: format.number(limit), window: format.duration(window_seconds) })}
      />
      <span className="text-xs text-muted">
        {t('anew')} <RelativeTime at={window_ends_at} />
      </span>
    </li>
  );
}
