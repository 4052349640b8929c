import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { useChangeConnection, useTestConnection } from '../queries/connection-mutations.ts';
import { type Connection } from '../queries/connections.ts';
import { ReconnectDialog } from './connect-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { TestConnectionDialog } from './test-connection-dialog.tsx';

interface ConnectionCommandsProps {
  workspaceId: string;
  connection: Connection;
  /** A menu on a card, buttons on the page of the connection. */
  look: 'menu' | 'buttons';
  onRemoved?: () => void;
}

type Open = 'test' | 'reconnect' | 'disable' | 'enable' | 'remove';

/** What can be done with a connection; nothing for who may not change it. */
export function ConnectionCommands({ workspaceId, connection, look, onRemoved }: ConnectionCommandsProps) {
  const { t } = useTranslation('connections');
  const may = usePermissionCheck();
  const [open, show] = useState<Open>();
  // Dialogs are made with the first one that is opened: a list has hundreds of these.
  const [isUsed, setUsed] = useState(false);
  const test = useTestConnection(workspaceId, connection.id);
  const change = useChangeConnection(workspaceId, connection.id);
  if (!may('connections.write', workspaceId)) return null;
  const { label } = connection;
  const isDisabled = connection.status === 'disabled';
  const setOpen = (which: Open) => {
    setUsed(true);
    show(which);
  };
  const close = () => show(undefined);
  const startTest = () => {
    setOpen('test');
    test.mutate();
  };
  const disable = async () => {
    await change.mutateAsync({ enabled: false });
    announce(t('disabled', { label }));
  };
  const enable = () =>
    change.mutate({ enabled: true }, { onSuccess: () => announce(t('enabled', { label })), onError: () => setOpen('enable') });
  return (
    <>
      {look === 'menu' ? (
        <Menu
          trigger={
            <Button look="ghost" size="icon" className="-me-2 -mt-1.5" aria-label={t('commands', { label })}>
              <Ellipsis className="size-4" aria-hidden />
            </Button>
          }
        >
          <MenuItem onSelect={startTest}>{t('test.action')}</MenuItem>
          <MenuItem onSelect={() => setOpen('reconnect')}>{t('reconnect.action')}</MenuItem>
          {isDisabled ? (
            <MenuItem onSelect={enable}>{t('enable')}</MenuItem>
          ) : (
            <MenuItem onSelect={() => setOpen('disable')}>{t('disable.action')}</MenuItem>
          )}
          <MenuSeparator />
          <MenuItem isDangerous onSelect={() => setOpen('remove')}>
            {t('remove.action')}
          </MenuItem>
        </Menu>
      ) : (
        <>
          <Button onClick={startTest}>{t('test.action')}</Button>
          <Button onClick={() => setOpen('reconnect')}>{t('reconnect.action')}</Button>
          {isDisabled ? (
            <Button isBusy={change.isPending} onClick={enable}>
              {t('enable')}
            </Button>
          ) : (
            <Button onClick={() => setOpen('disable')}>{t('disable.action')}</Button>
          )}
          <Button look="danger" onClick={() => setOpen('remove')}>
            {t('remove.action')}
          </Button>
        </>
      )}
      {isUsed && (
        <>
          <TestConnectionDialog isOpen={open === 'test'} onClose={close} label={label} test={test} />
          <ReconnectDialog workspaceId={workspaceId} connection={connection} isOpen={open === 'reconnect'} onClose={close} />
          <ConfirmDialog
            isOpen={open === 'disable'}
            onClose={close}
            title={t('disable.title', { label })}
            action={t('disable.action')}
            onConfirm={disable}
          >
            {t('disable.text')}
          </ConfirmDialog>
          <Dialog isOpen={open === 'enable'} onClose={close} title={t('enable')}>
            {change.error && <ProblemNote error={change.error} onRetry={enable} />}
          </Dialog>
          <RemoveDialog
            workspaceId={workspaceId}
            connection={connection}
            isOpen={open === 'remove'}
            onClose={close}
            {...(onRemoved && { onRemoved })}
          />
        </>
      )}
    </>
  );
}
