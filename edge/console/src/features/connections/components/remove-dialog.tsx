import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../ui/announcer.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { useRemoveConnection } from '../queries/connection-mutations.ts';
import { type Connection } from '../queries/connections.ts';

interface RemoveDialogProps {
  workspaceId: string;
  connection: Connection;
  isOpen: boolean;
  onClose: () => void;
  onRemoved?: () => void;
}

/** Asks before an account is disconnected, and where its conversations go on. */
export function RemoveDialog({ workspaceId, connection, isOpen, onClose, onRemoved }: RemoveDialogProps) {
  const { t } = useTranslation('connections');
  const [moveTo, setMoveTo] = useState('');
  const remove = useRemoveConnection(workspaceId, connection.id);
  const { label } = connection;
  const confirm = async () => {
    const { conversations, moved } = await remove.mutateAsync(moveTo.trim());
    announce(t('remove.done', { label, count: conversations, moved }));
    onRemoved?.();
  };
  return (
    <ConfirmDialog isOpen={isOpen} onClose={onClose} title={t('remove.title', { label })} action={t('remove.action')} onConfirm={confirm}>
      <div className="flex flex-col gap-3">
        <p>{t('remove.text')}</p>
        <TextField
          label={t('remove.moveTo')}
          hint={t('remove.moveToHint')}
          value={moveTo}
          autoComplete="off"
          onChange={({ target }) => setMoveTo(target.value)}
        />
      </div>
    </ConfirmDialog>
  );
}
