import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, buttonVariants } from '../../../ui/button.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { type Connection } from '../queries/connections.ts';

interface ConnectedNoteProps {
  workspaceId: string;
  connection: Pick<Connection, 'id' | 'label'>;
  onClose: () => void;
}

/** Says that an account is connected, and leads on. */
export function ConnectedNote({ workspaceId, connection, onClose }: ConnectedNoteProps) {
  const { t } = useTranslation('connections');
  return (
    <div>
      <p role="status" className="flex items-center gap-2 font-medium">
        <CircleCheck className="size-5 shrink-0 text-good" aria-hidden />
        {t('connect.done', { label: connection.label })}
      </p>
      <DialogActions>
        <Button onClick={onClose}>{t('done')}</Button>
        <Link
          to="/w/$workspaceId/connections/$connectionId"
          params={{ workspaceId, connectionId: connection.id }}
          onClick={onClose}
          className={buttonVariants()}
        >
          {t('connect.open')}
        </Link>
        <Link to="/w/$workspaceId/playground" params={{ workspaceId }} className={buttonVariants({ look: 'primary' })}>
          {t('connect.try')}
        </Link>
      </DialogActions>
    </div>
  );
}
