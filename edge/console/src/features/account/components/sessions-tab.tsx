import { useSuspenseQuery } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type OwnSession, sessionsQuery } from '../queries/account.ts';
import { toDeviceName } from '../queries/device-name.ts';
import { useAccountMutation } from '../queries/use-account-mutation.ts';

/** Where the person is signed in, and an end to it. */
export function SessionsTab() {
  const { t } = useTranslation('account');
  const { data: sessions } = useSuspenseQuery(sessionsQuery);
  const [isOpen, setOpen] = useState(false);
  const endOthers = useAccountMutation(() => unwrap(meClient.DELETE('/me/v1/sessions')));
  const hasOthers = sessions.some((session) => !session.is_current);
  return (
    <Card
      title={t('sessions.title')}
      actions={
        hasOthers && (
          <Button look="danger" size="small" onClick={() => setOpen(true)}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      <p className="mb-3 text-sm text-muted">{t('sessions.text')}</p>
      <ul aria-label={t('sessions.title')} className="flex flex-col divide-y rounded-lg border">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('sessions.endOthersTitle')}
        action={t('sessions.endOthers')}
        onConfirm={() => endOthers.mutateAsync()}
      >
        {t('sessions.endOthersText')}
      </ConfirmDialog>
    </Card>
  );
}

function SessionRow({ session }: { session: OwnSession }) {
  const { t } = useTranslation('account');
  const format = useFormatter();
  const [isOpen, setOpen] = useState(false);
  const { browser, system } = toDeviceName(session.user_agent);
  const device = [browser, system].filter(Boolean).join(' · ') || t('sessions.unknown');
  const end = useAccountMutation(() => unwrap(meClient.DELETE('/me/v1/sessions/{id}', { params: { path: { id: session.id } } })));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2.5">
      <MonitorSmartphone className="size-5 text-muted" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium" title={session.user_agent}>
          {device}
          {session.is_current && <Badge tone="good">{t('sessions.current')}</Badge>}
          {session.is_strong && <Badge tone="accent">{t('sessions.strong')}</Badge>}
        </p>
        <p className="text-sm text-muted">
          {session.address} {' · '} {t(`sessions.method.${session.method}`)} {' · '} {t('sessions.seen')}{' '}
          <RelativeTime at={session.last_seen_at} /> {' · '} {t('sessions.until', { date: format.dateTime(session.expires_at) })}
        </p>
      </div>
      {!session.is_current && (
        <Button size="small" look="danger" aria-label={t('sessions.endOf', { device })} onClick={() => setOpen(true)}>
          {t('sessions.end')}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('sessions.endTitle', { device })}
        action={t('sessions.end')}
        onConfirm={() => end.mutateAsync()}
      >
        {t('sessions.endText')}
      </ConfirmDialog>
    </li>
  );
}
