import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import { Card } from '../../../ui/card.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { findNear, type NearQuota } from '../near-quota.ts';
import { quotaKeysQuery, quotaWorkspacesQuery } from '../queries/usage.ts';

interface NearQuotasProps {
  workspaceId: string;
  isAll: boolean;
}

/** Keys and workspaces of whose quotas little is left. */
export function NearQuotas({ workspaceId, isAll }: NearQuotasProps) {
  const { t } = useTranslation('usage');
  const { data: workspaces = [] } = useQuery(quotaWorkspacesQuery(workspaceId, isAll));
  const { data: keys = [] } = useQuery(quotaKeysQuery(workspaceId, isAll));
  const near = [
    ...findNear(workspaces).map((quota) => ({ of: 'workspace' as const, quota })),
    ...findNear(keys).map((quota) => ({ of: 'key' as const, quota })),
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
  quota: NearQuota;
}) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const label = t(`nearOf.${of}`, { name, metric: t(`metrics.${metric}`) });
  return (
    <li className="flex flex-col gap-1">
      <span className="truncate">{label}</span>
      <Meter
        label={label}
        value={used}
        max={limit}
        text={t('usedOf', { used: format.number(used), limit: format.number(limit), window: format.span(window_seconds) })}
      />
      <span className="text-xs text-muted">
        {t('anew')} <RelativeTime at={window_ends_at} />
      </span>
    </li>
  );
}
