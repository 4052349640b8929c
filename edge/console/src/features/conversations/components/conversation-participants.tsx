import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { UserMinus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ConversationDetail } from '../../../live/conversations.ts';
import { sessionQuery } from '../../../session/queries.ts';
import { announce } from '../../../ui/announcer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Select, SelectField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type ConversationCommands, type ShareRole } from '../queries/conversation-commands.ts';
import { useMembers } from '../queries/conversations.ts';

type Participant = ConversationDetail['participants'][number];
const ROLES: readonly ShareRole[] = ['viewer', 'editor'];

interface ConversationParticipantsProps {
  workspaceId: string;
  conversation: ConversationDetail;
  /** Undefined for who does not own it. */
  commands: ConversationCommands | undefined;
}

/** The participants of a conversation with their roles; the owner can share and transfer it. */
export function ConversationParticipants({ workspaceId, conversation, commands }: ConversationParticipantsProps) {
  const { t } = useTranslation('conversations');
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <Card title={t('people.title')}>
        <ul className="flex flex-col divide-y">
          {conversation.participants.map((participant) => (
            <Person
              key={participant.user_id}
              participant={participant}
              isMe={participant.user_id === session.user.id}
              commands={commands}
            />
          ))}
        </ul>
      </Card>
      {commands ? (
        <>
          <ShareForm workspaceId={workspaceId} conversation={conversation} commands={commands} />
          <TransferForm workspaceId={workspaceId} conversation={conversation} commands={commands} />
        </>
      ) : (
        <p className="text-sm text-muted">{t('people.onlyOwner')}</p>
      )}
    </div>
  );
}

function Person({ participant, isMe, commands }: { participant: Participant; isMe: boolean; commands: ConversationCommands | undefined }) {
  const { t } = useTranslation('conversations');
  const [isLeaving, setLeaving] = useState(false);
  const { user_id: userId, role } = participant;
  const name = participant.display_name ?? t('people.gone');
  const give = useMutation({
    mutationFn: async (to: ShareRole) => commands?.share(userId, to),
    onSuccess: () => announce(t('people.changed', { name })),
  });
  return (
    <li className="flex flex-wrap items-center gap-2 py-2">
      <span className="min-w-0 flex-1">
        <span className="font-medium break-words">{name}</span> {isMe && <Badge tone="accent">{t('people.you')}</Badge>}
        <span className="block text-xs text-muted">
          {t('people.since')} <RelativeTime at={participant.added_at} />
        </span>
      </span>
      {role === 'owner' || !commands ? (
        <Badge>{t(`roles.${role}`)}</Badge>
      ) : (
        <>
          <Select
            aria-label={t('people.roleOf', { name })}
            value={role}
            disabled={give.isPending}
            onChange={({ target }) => give.mutate(target.value as ShareRole)}
          >
            {ROLES.map((each) => (
              <option key={each} value={each}>
                {t(`roles.${each}`)}
              </option>
            ))}
          </Select>
          <Button look="ghost" size="icon" aria-label={t('people.remove', { name })} onClick={() => setLeaving(true)}>
            <UserMinus className="size-4" aria-hidden />
          </Button>
          <ConfirmDialog
            isOpen={isLeaving}
            onClose={() => setLeaving(false)}
            title={t('people.remove', { name })}
            action={t('people.removeAction')}
            onConfirm={() => commands.unshare(userId)}
          >
            {t('people.removeText', { name })}
          </ConfirmDialog>
        </>
      )}
      {give.error && <ProblemNote error={give.error} />}
    </li>
  );
}

interface FormProps {
  workspaceId: string;
  conversation: ConversationDetail;
  commands: ConversationCommands;
}

function ShareForm({ workspaceId, conversation, commands }: FormProps) {
  const { t } = useTranslation('conversations');
  const [userId, setUserId] = useState('');
  const [role, setRole] = useState<ShareRole>('viewer');
  const share = useMutation({
    mutationFn: () => commands.share(userId, role),
    onSuccess: () => {
      setUserId('');
      announce(t('share.done'));
    },
  });
  return (
    <Card title={t('share.title')}>
      <div className="flex flex-col gap-3">
        <PersonField workspaceId={workspaceId} conversation={conversation} label={t('share.person')} value={userId} onChange={setUserId} />
        <SelectField
          label={t('share.role')}
          value={role}
          hint={t(`share.hint.${role}`)}
          onChange={({ target }) => setRole(target.value as ShareRole)}
        >
          {ROLES.map((each) => (
            <option key={each} value={each}>
              {t(`roles.${each}`)}
            </option>
          ))}
        </SelectField>
        <Button look="primary" className="self-start" disabled={!userId} isBusy={share.isPending} onClick={() => share.mutate()}>
          {t('share.action')}
        </Button>
        {share.error && <ProblemNote error={share.error} />}
      </div>
    </Card>
  );
}

function TransferForm({ workspaceId, conversation, commands }: FormProps) {
  const { t } = useTranslation('conversations');
  const [userId, setUserId] = useState('');
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title={t('transfer.title')}>
      <div className="flex flex-col gap-3">
        <p className="text-sm text-muted">{t('transfer.text')}</p>
        <PersonField
          workspaceId={workspaceId}
          conversation={conversation}
          withParticipants
          label={t('transfer.person')}
          value={userId}
          onChange={setUserId}
        />
        <Button look="danger" className="self-start" disabled={!userId} onClick={() => setAsking(true)}>
          {t('transfer.action')}
        </Button>
        <ConfirmDialog
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          title={t('transfer.title')}
          action={t('transfer.action')}
          onConfirm={() => commands.transfer(userId)}
        >
          {t('transfer.confirm')}
        </ConfirmDialog>
      </div>
    </Card>
  );
}

interface PersonFieldProps {
  workspaceId: string;
  conversation: ConversationDetail;
  /** Also those who take part already. */
  withParticipants?: boolean;
  label: string;
  value: string;
  onChange: (userId: string) => void;
}

function PersonField({ workspaceId, conversation, withParticipants = false, label, value, onChange }: PersonFieldProps) {
  const { t } = useTranslation('conversations');
  const members = useMembers(workspaceId);
  const taken = new Set(conversation.participants.flatMap(({ user_id, role }) => (withParticipants && role !== 'owner' ? [] : [user_id])));
  const people = members.rows.filter(({ user_id, status }) => status === 'active' && !taken.has(user_id));
  return (
    <>
      <SelectField
        label={label}
        value={value}
        hint={!members.isPending && people.length === 0 ? t('people.noOtherUsers') : undefined}
        onChange={({ target }) => onChange(target.value)}
      >
        <option value="">{t('people.choose')}</option>
        {people.map(({ user_id, display_name, email }) => (
          <option key={user_id} value={user_id}>
            {email ? `${display_name} (${email})` : display_name}
          </option>
        ))}
      </SelectField>
      {members.hasMore && (
        <Button size="small" className="self-start" isBusy={members.isReadingMore} onClick={members.readMore}>
          {t('people.more')}
        </Button>
      )}
      {members.error && <ProblemNote error={members.error} onRetry={members.refetch} />}
    </>
  );
}
