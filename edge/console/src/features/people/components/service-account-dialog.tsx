import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { startOfDay } from '../queries/audit.ts';
import { type InstanceRole, type ServiceAccount, type WorkspaceRole } from '../queries/people.ts';
import { INSTANCE_ROLES, useGrantableRoles } from '../queries/roles.ts';

/** What a service account is to be. */
export interface ServiceAccountFields {
  name: string;
  expires_at: string | null;
  workspace_role?: WorkspaceRole;
  instance_role?: InstanceRole;
}

interface ServiceAccountDialogProps<T> {
  workspaceId: string;
  /** To change; without it, a new one. */
  account?: ServiceAccount;
  onSave: (fields: ServiceAccountFields) => Promise<T>;
  onDone?: (answer: T) => void;
  onClose: () => void;
}

/** Asks for the name, the role and the end of a service account. Its place stays what it is. */
export function ServiceAccountDialog<T>({ workspaceId, account, onSave, onDone, onClose }: ServiceAccountDialogProps<T>) {
  const { t } = useTranslation('people');
  const may = usePermissionCheck();
  const [name, setName] = useState(account?.name ?? '');
  // `workspace admin`, `gateway auditor`
  const [role, setRole] = useState(
    account?.instance_role ? `gateway ${account.instance_role}` : `workspace ${account?.workspace_role ?? 'member'}`,
  );
  const [until, setUntil] = useState(account?.expires_at ? toDay(account.expires_at) : '');
  const mayInstance = may('instance_roles.write') && (!account || account.instance_role !== null);
  const mayWorkspace = !account || account.workspace_role !== null;
  const roles = useGrantableRoles(workspaceId);
  const fields = (): ServiceAccountFields => {
    const [place, chosen] = role.split(' ');
    const given = place === 'gateway' ? { instance_role: chosen as InstanceRole } : { workspace_role: chosen as WorkspaceRole };
    return { name: name.trim(), expires_at: until === '' ? null : startOfDay(until, 1).toISOString(), ...given };
  };
  return (
    <FormDialog
      title={t(account ? 'service.changeTitle' : 'service.newTitle')}
      description={t('service.formText')}
      submit={t(account ? 'save' : 'service.create')}
      isReady={name.trim() !== ''}
      onSubmit={() => onSave(fields())}
      {...(onDone && { onDone })}
      onClose={onClose}
    >
      <TextField
        label={t('name')}
        hint={t('service.nameHint')}
        value={name}
        maxLength={200}
        onChange={({ target }) => setName(target.value)}
      />
      <SelectField label={t('role')} value={role} onChange={({ target }) => setRole(target.value)}>
        {mayWorkspace &&
          roles.map((one) => (
            <option key={one} value={`workspace ${one}`}>
              {t('workspaceRole', { role: t(`roles.${one}`) })}
            </option>
          ))}
        {mayInstance &&
          INSTANCE_ROLES.map((one) => (
            <option key={one} value={`gateway ${one}`}>
              {t('gatewayRole', { role: t(`roles.${one}`) })}
            </option>
          ))}
      </SelectField>
      <TextField
        type="date"
        label={t('service.until')}
        hint={t('service.untilHint')}
        value={until}
        onChange={({ target }) => setUntil(target.value)}
      />
    </FormDialog>
  );
}

/** The last whole day before a time, in the reader's calendar, as a field of a form has it. */
function toDay(time: string): string {
  const last = new Date(new Date(time).getTime() - 1);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${last.getFullYear()}-${two(last.getMonth() + 1)}-${two(last.getDate())}`;
}
