import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { type Project, useBindProject } from '../queries/projects.ts';

/** Whether the workspace may select an upstream project, and whether it is the default one. */
export function BindingMenu({ workspaceId, project }: { workspaceId: string; project: Project }) {
  const { t } = useTranslation('projects');
  const bind = useBindProject(workspaceId, project.id);
  const [isAsking, setAsking] = useState(false);
  const { name, bound, is_default: isDefault } = project;
  const said = () => announce(t('binding.done', { name }));
  const put = (body: { bound?: boolean; is_default?: boolean }) => bind.mutate(body, { onSuccess: said });
  return (
    // A click in here is none on the row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div onClick={(event) => event.stopPropagation()}>
      <Menu
        trigger={
          <Button look="ghost" size="icon" aria-label={t('binding.of', { name })}>
            <Ellipsis className="size-4" aria-hidden />
          </Button>
        }
      >
        {bound === true ? (
          <MenuItem isDangerous onSelect={() => setAsking(true)}>
            {t('binding.unbind')}
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => put({ bound: true })}>{t('binding.bind')}</MenuItem>
        )}
        {bound === true && (
          <MenuItem onSelect={() => put({ is_default: !isDefault })}>{t(isDefault ? 'binding.noDefault' : 'binding.makeDefault')}</MenuItem>
        )}
      </Menu>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('binding.unbindTitle', { name })}
        action={t('binding.unbind')}
        onConfirm={() => bind.mutateAsync({ bound: false }).then(said)}
      >
        {t('binding.unbindText')}
      </ConfirmDialog>
      <Dialog isOpen={bind.error !== null && !isAsking} onClose={() => bind.reset()} title={t('binding.of', { name })}>
        {bind.error && <ProblemNote error={bind.error} />}
      </Dialog>
    </div>
  );
}
