import { useMutation } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type components } from '../api/generated/me.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { PasskeyProblemNote } from './passkey-problem-note.tsx';
import { requestPasskeyAssertion } from './passkeys.ts';
import { useRetryAfterSeconds } from './use-retry-after-seconds.ts';

/** How a second factor is shown. */
export type FactorMethod = components['schemas']['SecondFactorRequired']['methods'][number];
/** A second factor that is shown. */
export type ShownFactor = components['schemas']['ShownFactor'];

const ORDER: readonly FactorMethod[] = ['totp', 'passkey', 'recovery_code'];

interface FactorFormProps {
  /** What the person has. */
  methods: readonly FactorMethod[];
  /** Hands the factor to the gateway; what it rejects with is shown. */
  onShow: (factor: ShownFactor) => Promise<unknown>;
}

/** Asks for a second factor: a code of the app, a passkey, or a recovery code. */
export function FactorForm({ methods, onShow }: FactorFormProps) {
  const { t } = useTranslation();
  const [method, setMethod] = useState(ORDER.find((one) => methods.includes(one)) ?? 'recovery_code');
  const [text, setText] = useState('');
  const show = useMutation({
    mutationFn: async () => {
      if (method === 'passkey') return onShow({ passkey: await requestPasskeyAssertion() });
      return onShow(method === 'totp' ? { code: text.replaceAll(/\s/g, '') } : { recovery_code: text.trim() });
    },
    // A code counts once.
    onError: () => setText(''),
  });
  const wait = useRetryAfterSeconds(show);
  const choose = (other: FactorMethod) => {
    setMethod(other);
    setText('');
    show.reset();
  };
  const isReady = method === 'passkey' || (method === 'totp' ? /^\s*(?:\d\s*){6}$/.test(text) : text.trim() !== '');
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && wait === 0) show.mutate();
      }}
    >
      {method === 'passkey' ? (
        <p className="text-sm text-muted">{t('factor.passkeyText')}</p>
      ) : (
        <TextField
          key={method}
          label={t(method === 'totp' ? 'factor.code' : 'factor.recovery_code')}
          hint={t(method === 'totp' ? 'factor.codeHint' : 'factor.recoveryHint')}
          value={text}
          onChange={({ target }) => setText(target.value)}
          inputMode={method === 'totp' ? 'numeric' : 'text'}
          autoComplete={method === 'totp' ? 'one-time-code' : 'off'}
          spellCheck={false}
          className="font-mono tracking-widest"
          // The page, or the dialog, is there for this one field.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
        />
      )}
      {show.error && <PasskeyProblemNote error={show.error} />}
      <Button type="submit" look="primary" isBusy={show.isPending} disabled={!isReady || wait > 0}>
        {method === 'passkey' && <Fingerprint className="size-4" aria-hidden />}
        {wait > 0 ? t('waitSeconds', { count: wait }) : t(method === 'passkey' ? 'factor.use.passkey' : 'factor.confirm')}
      </Button>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {ORDER.filter((one) => one !== method && methods.includes(one)).map((one) => (
          <button key={one} type="button" className="text-sm text-accent underline" onClick={() => choose(one)}>
            {t(`factor.use.${one}`)}
          </button>
        ))}
      </div>
    </form>
  );
}
