import { useSuspenseQuery } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { PasskeyProblemNote } from '../../../session/passkey-problem-note.tsx';
import { isPasskeySupported, makePasskey } from '../../../session/passkeys.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type Passkey, passkeysQuery } from '../queries/account.ts';
import { toDeviceName } from '../queries/device-name.ts';
import { showRecoveryCodes } from '../queries/shown-recovery-codes.ts';
import { useAccountMutation } from '../queries/use-account-mutation.ts';
import { RenameDialog } from './rename-dialog.tsx';
import { useStepUp } from './step-up.tsx';

/** The passkeys: add, rename, remove. */
export function PasskeysCard({ isLastNeeded }: { isLastNeeded: boolean }) {
  const { t } = useTranslation('account');
  const withFactor = useStepUp();
  const { data: passkeys } = useSuspenseQuery(passkeysQuery);
  const add = useAccountMutation(
    async () => {
      const begun = await withFactor(() => unwrap(meClient.POST('/me/v1/passkeys/options')));
      const response = await makePasskey(begun);
      const { browser, system } = toDeviceName(navigator.userAgent);
      const name = [browser, system].filter(Boolean).join(' · ') || t('passkeys.name');
      return unwrap(meClient.POST('/me/v1/passkeys', { body: { token: begun.token, name, response } }));
    },
    ({ recovery_codes: codes }) => codes && showRecoveryCodes(codes),
  );
  return (
    <Card title={t('passkeys.title')}>
      <div className="flex flex-col gap-3">
        <p className="text-sm text-muted">{t('passkeys.text')}</p>
        {passkeys.length > 0 && (
          <ul aria-label={t('passkeys.title')} className="flex flex-col divide-y rounded-lg border">
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} isLastNeeded={isLastNeeded} />
            ))}
          </ul>
        )}
        {add.error && <PasskeyProblemNote error={add.error} />}
        {isPasskeySupported() ? (
          <Button className="self-start" isBusy={add.isPending} onClick={() => add.mutate()}>
            <Fingerprint className="size-4" aria-hidden />
            {t('passkeys.add')}
          </Button>
        ) : (
          <p className="text-sm text-muted">{t('passkey.unsupported', { ns: 'common' })}</p>
        )}
      </div>
    </Card>
  );
}

function PasskeyRow({ passkey, isLastNeeded }: { passkey: Passkey; isLastNeeded: boolean }) {
  const { t } = useTranslation('account');
  const withFactor = useStepUp();
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const path = { params: { path: { id: passkey.id } } };
  const rename = useAccountMutation((name: string) => unwrap(meClient.PATCH('/me/v1/passkeys/{id}', { ...path, body: { name } })));
  const remove = useAccountMutation(() => withFactor(() => unwrap(meClient.DELETE('/me/v1/passkeys/{id}', path))));
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{passkey.name}</p>
        <p className="text-sm text-muted">
          {t('passkeys.added')} <RelativeTime at={passkey.created_at} />
          {passkey.last_used_at !== null && (
            <>
              {' · '}
              {t('passkeys.used')} <RelativeTime at={passkey.last_used_at} />
            </>
          )}
        </p>
      </div>
      <Button size="small" onClick={() => setOpen('rename')}>
        {t('rename')}
      </Button>
      <Button size="small" look="danger" disabled={isLastNeeded} onClick={() => setOpen('remove')}>
        {t('remove')}
      </Button>
      {open === 'rename' && (
        <RenameDialog
          title={t('passkeys.renameTitle')}
          name={passkey.name}
          onClose={() => setOpen(undefined)}
          onRename={(name) => rename.mutateAsync(name)}
        />
      )}
      <ConfirmDialog
        isOpen={open === 'remove'}
        onClose={() => setOpen(undefined)}
        title={t('passkeys.removeTitle', { name: passkey.name })}
        action={t('passkeys.remove')}
        onConfirm={() => remove.mutateAsync()}
      >
        {t('passkeys.removeText')}
      </ConfirmDialog>
    </li>
  );
}
