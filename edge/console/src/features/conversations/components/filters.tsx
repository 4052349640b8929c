import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { connectionsQuery, projectsQuery } from '../../../live/conversations.ts';
import { CheckField, Input, Select } from '../../../ui/field.tsx';
import { type Filter } from '../queries/list.ts';

/** The list follows what is typed after this long without a key. */
const PAUSE_MS = 250;

interface FiltersProps {
  workspaceId: string;
  filter: Filter;
  onFilter: (change: Filter) => void;
}

/** Words, status, project, account, pinned. */
export function Filters({ workspaceId, filter, onFilter }: FiltersProps) {
  const { t } = useTranslation('conversations');
  const { data: projects } = useQuery(projectsQuery(workspaceId));
  const { data: connections } = useQuery(connectionsQuery(workspaceId));
  return (
    <div role="search" className="flex flex-wrap items-center gap-2">
      <SearchBox value={filter.q ?? ''} onSearch={(q) => q !== (filter.q ?? '') && onFilter({ q: q || undefined })} />
      <Select
        aria-label={t('status')}
        value={filter.status ?? ''}
        onChange={({ target }) => onFilter({ status: (target.value || undefined) as Filter['status'] })}
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

function SearchBox({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const { t } = useTranslation('conversations');
  const [text, setText] = useState(value);
  const [followed, setFollowed] = useState(value);
  if (value !== followed) {
    // The address has changed: by what was typed here, or by a link.
    setFollowed(value);
    if (value !== text.trim()) setText(value);
  }
  const search = useEffectEvent(onSearch);
  useEffect(() => {
    const timer = setTimeout(() => search(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Input
      type="search"
      aria-label={t('search')}
      placeholder={t('search')}
      value={text}
      maxLength={500}
      onChange={({ target }) => setText(target.value)}
      className="w-full sm:w-72"
    />
  );
}
