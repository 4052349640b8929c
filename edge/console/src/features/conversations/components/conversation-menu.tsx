import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Archive, ArchiveRestore, Download, MoreHorizontal, Pencil, Pin, PinOff, RefreshCw, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ConversationDetail, messagesQuery } from '../../../live/conversations.ts';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../../ui/menu.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { type ConversationCommands } from '../queries/conversation-commands.ts';
import { saveExportFile, toJsonExport, toMarkdownExport } from '../queries/conversation-export.ts';
import { RenameDialog } from './rename-dialog.tsx';

interface ConversationMenuProps {
  workspaceId: string;
  conversation: ConversationDetail;
  commands: ConversationCommands;
  mayWrite: boolean;
  isOwner: boolean;
}

/** What can be done with a conversation. */
export function ConversationMenu({ workspaceId, conversation, commands, mayWrite, isOwner }: ConversationMenuProps) {
  const { t } = useTranslation('conversations');
  const { t: common } = useTranslation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<'rename' | 'delete'>();
  const { id: conversationId, pinned, status, title } = conversation;
  const list = { to: '/w/$workspaceId/conversations', params: { workspaceId } } as const;
  const command = useMutation({
    mutationFn: async ({ run }: { run: () => Promise<unknown>; said: string }) => run(),
    onSuccess: (_answer, { said }) => announce(said),
  });
  const exportAs = async (format: 'markdown' | 'json') => {
    const messages = await queries.fetchQuery(messagesQuery(workspaceId, conversationId));
    saveExportFile(
      format === 'json'
        ? toJsonExport(conversation, messages)
        : toMarkdownExport(conversation, messages, (role) => common(`messages.by.${role}`)),
    );
  };
  const run = (said: string, work: () => Promise<unknown>) => () => command.mutate({ run: work, said });
  return (
    <>
      <Menu
        trigger={
          <Button aria-label={t('commands')} size="icon" isBusy={command.isPending}>
            {!command.isPending && <MoreHorizontal className="size-4" aria-hidden />}
          </Button>
        }
      >
        {mayWrite && (
          <>
            <MenuItem onSelect={() => setAsked('rename')}>
              <Pencil className="size-4" aria-hidden />
              {t('rename.action')}
            </MenuItem>
            <MenuItem onSelect={run(t(pinned ? 'unpinned' : 'pinned'), () => commands.pin(!pinned))}>
              {pinned ? <PinOff className="size-4" aria-hidden /> : <Pin className="size-4" aria-hidden />}
              {t(pinned ? 'unpin' : 'pin')}
            </MenuItem>
            {status === 'active' ? (
              <MenuItem onSelect={run(t('archivedNow'), commands.archive)}>
                <Archive className="size-4" aria-hidden />
                {t('archive')}
              </MenuItem>
            ) : (
              <MenuItem onSelect={run(t('restored'), commands.restore)}>
                <ArchiveRestore className="size-4" aria-hidden />
                {t('restore')}
              </MenuItem>
            )}
            <MenuItem onSelect={run(t('synced'), commands.sync)}>
              <RefreshCw className="size-4" aria-hidden />
              {t('sync')}
            </MenuItem>
          </>
        )}
        <MenuItem
          onSelect={() =>
            void navigate({
              to: '/w/$workspaceId/conversations/$conversationId',
              params: { workspaceId, conversationId },
              search: { tab: 'people' },
            })
          }
        >
          <Users className="size-4" aria-hidden />
          {t(isOwner ? 'shareIt' : 'tabs.people')}
        </MenuItem>
        <MenuSeparator />
        <MenuLabel>{t('export.title')}</MenuLabel>
        {(['markdown', 'json'] as const).map((format) => (
          <MenuItem key={format} onSelect={run(t('export.done'), () => exportAs(format))}>
            <Download className="size-4" aria-hidden />
            {t(`export.${format}`)}
          </MenuItem>
        ))}
        {mayWrite && isOwner && (
          <>
            <MenuSeparator />
            <MenuItem isDangerous onSelect={() => setAsked('delete')}>
              <Trash2 className="size-4" aria-hidden />
              {t('delete.action')}
            </MenuItem>
          </>
        )}
      </Menu>
      {asked === 'rename' && <RenameDialog title={title} onRename={commands.rename} onClose={() => setAsked(undefined)} />}
      <ConfirmDialog
        isOpen={asked === 'delete'}
        onClose={() => setAsked(undefined)}
        title={t('delete.title')}
        action={t('delete.action')}
        onConfirm={async () => {
          await commands.remove();
          announce(t('delete.done'));
          await navigate(list);
        }}
      >
        {t('delete.text', { title: title || t('untitled') })}
      </ConfirmDialog>
      <Dialog isOpen={command.error !== null} onClose={() => command.reset()} title={t('refused')}>
        <ProblemNote error={command.error} />
      </Dialog>
    </>
  );
}
