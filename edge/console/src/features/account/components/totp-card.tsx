import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type components } from '../../../api/generated/me.ts';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type SecondFactors } from '../queries/account.ts';
import { showRecoveryCodes } from '../queries/shown-recovery-codes.ts';
import { useAccountMutation } from '../queries/use-account-mutation.ts';
import { QrCode } from './qr-code.tsx';
import { useStepUp } from './step-up.tsx';

type Secret = components['schemas']['TotpSecret'];

interface TotpCardProps {
  factors: SecondFactors;
  /** The last factor of who has to have one stays. */
  isLastNeeded: boolean;
}

/** The authenticator app: set up, replace, remove. */
export function TotpCard({ factors: { totp }, isLastNeeded }: TotpCardProps) {
  const { t } = useTranslation('account');
  const withFactor = useStepUp();
  const [secret, setSecret] = useState<Secret>();
  const [isRemoving, setRemoving] = useState(false);
  const begin = useAccountMutation(() => withFactor(() => unwrap(meClient.POST('/me/v1/second-factors/totp'))), setSecret);
  const remove = useAccountMutation(() => withFactor(() => unwrap(meClient.DELETE('/me/v1/second-factors/totp'))));
  return (
    <Card title={t('totp.title')} actions={totp ? <Badge tone="good">{t('on')}</Badge> : <Badge>{t('off')}</Badge>}>
      <div className="flex flex-col gap-3">
        <p className="text-sm text-muted">{t('totp.text')}</p>
        {totp && (
          <p className="text-sm">
            {t('since')} <RelativeTime at={totp.confirmed_at} />
          </p>
        )}
        {begin.error && <ProblemNote error={begin.error} />}
        <div className="flex flex-wrap gap-2">
          <Button look={totp ? 'secondary' : 'primary'} isBusy={begin.isPending} onClick={() => begin.mutate()}>
            <Smartphone className="size-4" aria-hidden />
            {t(totp ? 'totp.replace' : 'totp.setUp')}
          </Button>
          {totp && (
            <Button look="danger" disabled={isLastNeeded} onClick={() => setRemoving(true)}>
              {t('totp.remove')}
            </Button>
          )}
        </div>
        {totp && isLastNeeded && <p className="text-sm text-muted">{t('lastNeeded')}</p>}
      </div>
      {secret && <TotpDialog secret={secret} onClose={() => setSecret(undefined)} onDone={() => setSecret(undefined)} />}
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('totp.removeTitle')}
        action={t('totp.remove')}
        onConfirm={() => remove.mutateAsync()}
      >
        {t('totp.removeText')}
      </ConfirmDialog>
    </Card>
  );
}

interface TotpDialogProps {
  secret: Secret;
  onClose: () => void;
  onDone: () => void;
}

function TotpDialog({ secret, onClose, onDone }: TotpDialogProps) {
  const { t } = useTranslation('account');
  const withFactor = useStepUp();
  const [text, setText] = useState('');
  const code = text.replaceAll(/\s/g, '');
  const isReady = /^\d{6}$/.test(code);
  const confirm = useAccountMutation(
    () => withFactor(() => unwrap(meClient.POST('/me/v1/second-factors/totp/confirm', { body: { code } }))),
    ({ recovery_codes: codes }) => {
      if (codes) showRecoveryCodes(codes);
      onDone();
    },
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('totp.dialogTitle')} description={t('totp.dialogLead')}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) confirm.mutate();
        }}
      >
        <div className="flex justify-center">
          <QrCode text={secret.uri} label={t('totp.qr')} />
        </div>
        <div className="text-sm">
          <p className="text-muted">{t('totp.byHand')}</p>
          <p className="flex items-center gap-1">
            <code className="break-all">{secret.secret}</code>
            <CopyButton text={secret.secret} what={t('totp.secret')} />
          </p>
        </div>
        <TextField
          label={t('factor.code', { ns: 'common' })}
          hint={t('factor.codeHint', { ns: 'common' })}
          value={text}
          onChange={({ target }) => setText(target.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          className="font-mono tracking-widest"
        />
        {confirm.error && <ProblemNote error={confirm.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" disabled={!isReady} isBusy={confirm.isPending}>
            {t('totp.confirm')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
