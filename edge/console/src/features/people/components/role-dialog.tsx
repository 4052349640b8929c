import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { type WorkspaceRole } from '../queries/people.ts';
import { useGrantableRoles } from '../queries/roles.ts';

interface RoleDialogProps {
  workspaceId: string;
  title: string;
  submit: string;
  /** The role of now, or the usual one. */
  before: WorkspaceRole;
  onClose: () => void;
  onSave: (role: WorkspaceRole) => Promise<unknown>;
}

/** Asks for a role in the workspace. */
export function RoleDialog({ workspaceId, title, submit, before, onClose, onSave }: RoleDialogProps) {
  const { t } = useTranslation('people');
  const [role, setRole] = useState(before);
  return (
    <FormDialog title={title} submit={submit} onSubmit={() => onSave(role)} onClose={onClose}>
      <SelectField
        label={t('role')}
        hint={t(`roleHint.${role}`)}
        value={role}
        onChange={({ target }) => setRole(target.value as WorkspaceRole)}
      >
        {useGrantableRoles(workspaceId).map((name) => (
          <option key={name} value={name}>
            {t(`roles.${name}`)}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
