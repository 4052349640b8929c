import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { workspacesQuery } from '../session/queries.ts';
import { Select } from '../ui/field.tsx';

/** Which workspace is shown; there is no choice for who has one. */
export function WorkspaceChoice({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: workspaces } = useSuspenseQuery(workspacesQuery);
  if (workspaces.length < 2) return <p className="truncate px-2 text-sm text-muted">{workspaces[0]?.name}</p>;
  return (
    <Select
      aria-label={t('workspace')}
      value={workspaceId}
      className="w-full"
      onChange={({ target }) => void navigate({ to: '/w/$workspaceId', params: { workspaceId: target.value } })}
    >
      {workspaces.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
