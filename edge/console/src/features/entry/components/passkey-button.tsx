import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { type CurrentSession } from '../../../session/adopt-session.ts';
import { PasskeyProblemNote } from '../../../session/passkey-problem-note.tsx';
import { isPasskeySupported, requestPasskeyAssertion } from '../../../session/passkeys.ts';
import { Button } from '../../../ui/button.tsx';

/** Signs in with a passkey alone. */
export function PasskeyButton({ onDone }: { onDone: (session: CurrentSession) => void }) {
  const { t } = useTranslation('entry');
  const signIn = useMutation({
    mutationFn: async () => unwrap(meClient.POST('/me/v1/sign-in/passkey', { body: await requestPasskeyAssertion() })),
    onSuccess: onDone,
  });
  if (!isPasskeySupported()) return <p className="text-sm text-muted">{t('passkey.unsupported', { ns: 'common' })}</p>;
  return (
    <>
      <Button isBusy={signIn.isPending} onClick={() => signIn.mutate()}>
        <Fingerprint className="size-4" aria-hidden />
        {t('signIn.passkey')}
      </Button>
      {signIn.error && <PasskeyProblemNote error={signIn.error} />}
    </>
  );
}
