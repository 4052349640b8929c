import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getIdleLimitMs } from '../session/idle-limit.ts';
import { signOut } from '../session/sign-out.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { useNow } from '../ui/use-now.ts';

const WARNING_MS = 60_000;
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** Signs out an idle user: after the chosen time without input, and a minute's warning. Ends the session at the gateway as well. */
export function IdleSignOut() {
  const { t } = useTranslation();
  const [lastSign, setLastSign] = useState(Date.now);
  const now = useNow();
  const left = lastSign + getIdleLimitMs() - now;
  const isWarning = left < WARNING_MS;
  const onSign = useEffectEvent(() => {
    // While the warning is shown only its button stays.
    if (!isWarning && Date.now() - lastSign > 1000) setLastSign(Date.now());
  });
  useEffect(() => {
    const sign = () => onSign();
    for (const name of SIGNS) addEventListener(name, sign, { passive: true });
    return () => {
      for (const name of SIGNS) removeEventListener(name, sign);
    };
  }, []);
  const isOver = left <= 0;
  useEffect(() => {
    if (isOver) void signOut('idle');
  }, [isOver]);
  return (
    <Dialog isOpen={isWarning && !isOver} onClose={() => setLastSign(Date.now())} isDismissable={false} title={t('idle.title')}>
      <p>{t('idle.text', { count: Math.max(1, Math.ceil(left / 1000)) })}</p>
      <DialogActions>
        <Button look="primary" onClick={() => setLastSign(Date.now())}>
          {t('idle.stay')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
