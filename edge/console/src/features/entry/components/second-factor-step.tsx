import { useTranslation } from 'react-i18next';
import { type components } from '../../../api/generated/me.ts';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { type CurrentSession } from '../../../session/adopt-session.ts';
import { FactorForm } from '../../../session/factor-form.tsx';
import { Button } from '../../../ui/button.tsx';
import { SignedOutLayout } from './signed-out-layout.tsx';

interface SecondFactorStepProps {
  pending: components['schemas']['SecondFactorRequired'];
  onDone: (session: CurrentSession) => void;
  onGiveUp: () => void;
}

/** Asks for the second factor of a sign-in. */
export default function SecondFactorStep({ pending: { token, methods }, onDone, onGiveUp }: SecondFactorStepProps) {
  const { t } = useTranslation('entry');
  return (
    <SignedOutLayout title={t('signIn.secondTitle')} lead={t('signIn.secondLead')}>
      <FactorForm
        methods={methods}
        onShow={async (factor) => onDone(await unwrap(meClient.POST('/me/v1/sign-in/second-factor', { body: { token, ...factor } })))}
      />
      <Button look="ghost" onClick={onGiveUp}>
        {t('signIn.again')}
      </Button>
    </SignedOutLayout>
  );
}
