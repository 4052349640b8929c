import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/format.ts';
import { Card } from '../../../ui/card.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { findNear, type NearQuota } from '../near-quota.ts';
import { quotaKeysQuery, quotaWorkspacesQuery, reportQuery } from '../queries/usage.ts';

interface NearQuotasProps {
  workspaceId: string;
  isAll: boolean;
}

/** Keys and workspaces of whose quotas little is left. */
export function NearQuotas({ workspaceId, isAll }: NearQuotasProps) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const near = [...useNear({ workspaceId, isAll }, 'workspace'), ...useNear({ workspaceId, isAll }, 'key')];
  return (
    <Card title={t('nearQuotas')}>
      {near.length === 0 ? (
        <p className="text-sm text-muted">{t('noneNear')}</p>
      ) : (
        <ul className="flex flex-col gap-3 text-sm">
          {near.map(({ of, id, name, metric, used, limit, period }) => {
            const text = t('usedOf', { used: format.number(used), limit: format.number(limit), period: t(`periods.${period}`) });
            return (
              <li key={`${id} ${metric}`} className="flex flex-col gap-1">
                <span className="truncate">{t(`nearOf.${of}`, { name, metric: t(`measures.${metric}`) })}</span>
                <Meter label={t(`nearOf.${of}`, { name, metric: t(`measures.${metric}`) })} value={used} max={limit} text={text} />
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

function useNear({ workspaceId, isAll }: NearQuotasProps, of: 'key' | 'workspace'): (NearQuota & { of: typeof of })[] {
  const { data: keys } = useQuery({ ...quotaKeysQuery(workspaceId, isAll), enabled: of === 'key' });
  const { data: workspaces } = useQuery({ ...quotaWorkspacesQuery(), enabled: of === 'workspace' });
  const all = of === 'key' ? keys : workspaces?.filter(({ id }) => isAll || id === workspaceId);
  const hasQuotas = all?.some(({ quotas }) => quotas.requests !== null || quotas.tokens !== null) ?? false;
  const asked = { workspaceId, isAll, by: of };
  const day = useQuery({ ...reportQuery({ ...asked, period: '24h' }), enabled: hasQuotas });
  const week = useQuery({ ...reportQuery({ ...asked, period: '7d' }), enabled: hasQuotas });
  const month = useQuery({ ...reportQuery({ ...asked, period: '30d' }), enabled: hasQuotas });
  return findNear(all ?? [], { '24h': day.data, '7d': week.data, '30d': month.data }).map((near) => ({ ...near, of }));
}
