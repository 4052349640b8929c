import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { type EditedWorkspace, useUpdateWorkspace } from '../queries/workspaces.ts';
import { EditWorkspaceDialog } from './edit-workspace-dialog.tsx';

/** What may be done with a workspace. */
export function WorkspaceCommands({ workspace }: { workspace: EditedWorkspace }) {
  const { t } = useTranslation('settings');
  const may = usePermissionCheck();
  const [open, setOpen] = useState<'edit' | 'disable'>();
  const change = useUpdateWorkspace(workspace.id);
  const { id, name, status } = workspace;
  if (!may('workspaces.update', id)) return null;
  const close = () => setOpen(undefined);
  const enable = () =>
    change.mutate(
      { status: 'active' },
      { onSuccess: () => announce(t('workspaces.enabled', { name })), onError: ({ message }) => announce(message) },
    );
  return (
    <>
      <Menu
        trigger={
          <Button look="ghost" size="icon" aria-label={t('workspaces.commandsFor', { name })}>
            <Ellipsis className="size-4" aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => setOpen('edit')}>{t(may('workspaces.bound') ? 'workspaces.edit' : 'workspaces.rename')}</MenuItem>
        {may('workspaces.bound') && status === 'disabled' && <MenuItem onSelect={enable}>{t('workspaces.enable')}</MenuItem>}
        {may('workspaces.bound') && status === 'active' && (
          <MenuItem isDangerous onSelect={() => setOpen('disable')}>
            {t('workspaces.disable')}
          </MenuItem>
        )}
      </Menu>
      {open === 'edit' && <EditWorkspaceDialog workspace={workspace} onClose={close} />}
      <ConfirmDialog
        isOpen={open === 'disable'}
        onClose={close}
        title={t('workspaces.disableTitle', { name })}
        action={t('workspaces.disable')}
        onConfirm={() => change.mutateAsync({ status: 'disabled' })}
      >
        {t('workspaces.disableText')}
      </ConfirmDialog>
    </>
  );
}
