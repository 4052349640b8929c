import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { showRecoveryCodes } from '../queries/shown-recovery-codes.ts';
import { useAccountMutation } from '../queries/use-account-mutation.ts';
import { useStepUp } from './step-up.tsx';

const FEW = 3;

/** Shows how many recovery codes are left, and creates new ones. */
export function RecoveryCodesCard({ left }: { left: number }) {
  const { t } = useTranslation('account');
  const withFactor = useStepUp();
  const [isOpen, setOpen] = useState(false);
  const renew = useAccountMutation(
    () => withFactor(() => unwrap(meClient.POST('/me/v1/second-factors/recovery-codes'))),
    ({ recovery_codes: codes }) => showRecoveryCodes(codes),
  );
  return (
    <Card title={t('codes.title')} actions={<Badge tone={left > FEW ? 'good' : 'warn'}>{t('codes.left', { count: left })}</Badge>}>
      <div className="flex flex-col items-start gap-3">
        <p className="text-sm text-muted">{t('codes.text')}</p>
        <Button onClick={() => setOpen(true)}>{t('codes.renew')}</Button>
      </div>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('codes.renewTitle')}
        action={t('codes.renew')}
        onConfirm={() => renew.mutateAsync()}
      >
        {t('codes.renewText')}
      </ConfirmDialog>
    </Card>
  );
}
