import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Select } from '../../../ui/field.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { type Connection } from '../queries/connections.ts';
import { connectProvidersQuery } from '../queries/flows.ts';
import { type ConnectionSearchParams } from './connection-search-params.ts';

interface ConnectionToolbarProps {
  workspaceId: string;
  search: ConnectionSearchParams;
  onChange: (change: ConnectionSearchParams) => void;
}

const STATUSES = [
  'active',
  'configured',
  'disabled',
  'expired',
  'cooldown',
  'rate_limited',
] as const satisfies readonly Connection['status'][];

/** Narrows the list of connections. */
export function ConnectionToolbar({ workspaceId, search: { q = '', status, provider }, onChange }: ConnectionToolbarProps) {
  const { t } = useTranslation('connections');
  const may = usePermissionCheck();
  const providers = useQuery({ ...connectProvidersQuery(workspaceId), enabled: may('connections.write', workspaceId) });
  return (
    <div role="search" className="flex flex-wrap items-center gap-2">
      <SearchBox
        label={t('filter.text')}
        value={q}
        onSearch={(text) => onChange({ q: text || undefined })}
        className="min-w-40 flex-1 sm:max-w-sm"
      />
      <Select
        aria-label={t('filter.status')}
        value={status ?? ''}
        onChange={({ target }) => onChange({ status: STATUSES.find((one) => one === target.value) })}
      >
        <option value="">{t('filter.everyStatus')}</option>
        {STATUSES.map((one) => (
          <option key={one} value={one}>
            {t(`status.${one}`)}
          </option>
        ))}
      </Select>
      {providers.data && (
        <Select
          aria-label={t('filter.provider')}
          className="max-w-56"
          value={provider ?? ''}
          onChange={({ target }) => onChange({ provider: target.value || undefined })}
        >
          <option value="">{t('filter.everyProvider')}</option>
          {providers.data.map(({ provider: name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </Select>
      )}
    </div>
  );
}
