import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { workspaceQuery } from '../session/all-workspaces.ts';
import { ownWorkspacesQuery } from '../session/queries.ts';
import { usePermissionCheck } from '../session/use-permission-check.ts';
import { Select } from '../ui/field.tsx';

/** Which workspace is shown; there is no choice for who has one. Admins of the gateway may be in one that they are no member of. */
export function WorkspaceChoice({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: own } = useSuspenseQuery(ownWorkspacesQuery);
  const may = usePermissionCheck();
  const isOwn = own.some(({ id }) => id === workspaceId);
  const isManaged = !isOwn && may('workspaces.read');
  const { data: managed } = useQuery({ ...workspaceQuery(workspaceId), enabled: isManaged });
  const workspaces = isOwn ? own : [...own, { id: workspaceId, name: managed?.name ?? '…' }];
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
