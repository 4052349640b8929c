import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { connectionsQuery, projectsQuery } from '../../../live/conversations.ts';
import { CheckField, Select } from '../../../ui/field.tsx';
import { SearchBox } from '../../../ui/search-box.tsx';
import { type ConversationListFilter } from '../queries/conversations.ts';

interface ConversationFilterBarProps {
  workspaceId: string;
  filter: ConversationListFilter;
  onFilter: (change: ConversationListFilter) => void;
}

/** The filters of the list of conversations: words, status, project, account, pinned. */
export function ConversationFilterBar({ workspaceId, filter, onFilter }: ConversationFilterBarProps) {
  const { t } = useTranslation('conversations');
  const { data: projects } = useQuery(projectsQuery(workspaceId));
  const { data: connections } = useQuery(connectionsQuery(workspaceId));
  return (
    <div role="search" className="flex flex-wrap items-center gap-2">
      <SearchBox label={t('search')} value={filter.q ?? ''} onSearch={(q) => onFilter({ q: q || undefined })} className="w-full sm:w-72" />
      <Select
        aria-label={t('status')}
        value={filter.status ?? ''}
        onChange={({ target }) => onFilter({ status: (target.value || undefined) as ConversationListFilter['status'] })}
      >
        <option value="">{t('anyStatus')}</option>
        <option value="active">{t('active')}</option>
        <option value="archived">{t('archived')}</option>
      </Select>
      {((projects?.length ?? 0) > 0 || filter.project) && (
        <Select
          aria-label={t('project')}
          value={filter.project ?? ''}
          className="max-w-60"
          onChange={({ target }) => onFilter({ project: target.value || undefined })}
        >
          <option value="">{t('anyProject')}</option>
          {projects?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <Select
        aria-label={t('connection')}
        value={filter.account ?? ''}
        className="max-w-60"
        onChange={({ target }) => onFilter({ account: target.value || undefined })}
      >
        <option value="">{t('anyConnection')}</option>
        {connections?.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </Select>
      <CheckField
        label={t('onlyPinned')}
        checked={filter.pinned ?? false}
        onChange={({ target }) => onFilter({ pinned: target.checked || undefined })}
      />
    </div>
  );
}
