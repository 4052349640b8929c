import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RefreshCw, Unplug } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../ui/announcer.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button, buttonVariants } from '../../../ui/button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { type Conversation } from '../queries/conversations.ts';

type Continuity = Conversation['continuity_status'];

/** What helps: asking the upstream again, the account, or another conversation. */
type Remedy = 'sync' | 'connection' | 'anew';

const STATES: Record<Continuity, { tone: Tone; remedies: readonly Remedy[] }> = {
  available: { tone: 'good', remedies: [] },
  deleted_upstream: { tone: 'bad', remedies: ['sync', 'anew'] },
  access_lost: { tone: 'bad', remedies: ['connection', 'sync', 'anew'] },
  session_expired: { tone: 'warn', remedies: ['connection', 'sync'] },
  continuity_lost: { tone: 'bad', remedies: ['sync', 'anew'] },
  project_unavailable: { tone: 'bad', remedies: ['sync', 'anew'] },
  upstream_unavailable: { tone: 'warn', remedies: ['sync', 'connection'] },
};

/** Whether a conversation can go on, in words. */
export function ContinuityBadge({ status }: { status: Continuity }) {
  const { t } = useTranslation('conversations');
  return <Badge tone={STATES[status].tone}>{t(`continuity.${status}.name`)}</Badge>;
}

interface ContinuityNoteProps {
  workspaceId: string;
  conversation: Pick<Conversation, 'continuity_status' | 'upstream_account_id'>;
  /** Reads the state at the upstream; without it, one may only read. */
  onSync: (() => Promise<unknown>) | undefined;
}

/** Why a conversation cannot go on, and what to do. */
export function ContinuityNote({ workspaceId, conversation, onSync }: ContinuityNoteProps) {
  const { t } = useTranslation('conversations');
  const { continuity_status: status, upstream_account_id: connectionId } = conversation;
  const sync = useMutation({ mutationFn: async () => onSync?.(), onSuccess: () => announce(t('synced')) });
  if (status === 'available') return null;
  const { remedies } = STATES[status];
  return (
    <section aria-label={t('continuity.title')} className="flex flex-col gap-2 rounded-xl border border-warn/40 bg-warn-soft p-4 text-sm">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <Unplug className="size-4 text-warn" aria-hidden />
        {t(`continuity.${status}.name`)}
      </p>
      <p>{t(`continuity.${status}.text`)}</p>
      <div className="flex flex-wrap gap-2">
        {remedies.includes('sync') && onSync && (
          <Button size="small" isBusy={sync.isPending} onClick={() => sync.mutate()}>
            <RefreshCw className="size-3.5" aria-hidden />
            {t('sync')}
          </Button>
        )}
        {remedies.includes('connection') && (
          <Link
            to="/w/$workspaceId/connections/$connectionId"
            params={{ workspaceId, connectionId }}
            className={buttonVariants({ size: 'small' })}
          >
            {t('toConnection')}
          </Link>
        )}
        {remedies.includes('anew') && onSync && (
          <Link to="/w/$workspaceId/playground" params={{ workspaceId }} className={buttonVariants({ size: 'small' })}>
            {t('anew')}
          </Link>
        )}
      </div>
      {sync.error && <ProblemNote error={sync.error} />}
    </section>
  );
}
