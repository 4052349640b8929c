import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { adoptSession } from '../../../session/adopt-session.ts';
import { FactorForm } from '../../../session/factor-form.tsx';
import { sessionQuery } from '../../../session/queries.ts';
import { Card } from '../../../ui/card.tsx';
import { Note } from '../../../ui/note.tsx';
import { factorsQuery } from '../queries/account.ts';
import { listFactorMethods } from '../queries/list-factor-methods.ts';
import { IdentitiesCard } from './identities-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { RecoveryCodesCard } from './recovery-codes-card.tsx';
import { StepUpProvider } from './step-up.tsx';
import { TotpCard } from './totp-card.tsx';

/** What the person proves with that it is them. Who owes a second factor sees how to set it up, and nothing else. */
export function SecurityTab() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: factors } = useSuspenseQuery(factorsQuery);
  const isOwed = session.second_factor_required;
  const hasFactor = listFactorMethods(factors).length > 0;
  const isLastNeeded = factors.is_required && (factors.totp === null ? 0 : 1) + factors.passkeys === 1;
  if (isOwed && hasFactor) return <OwedFactor />;
  return (
    <StepUpProvider>
      {isOwed && <OwedNote />}
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <TotpCard factors={factors} isLastNeeded={isLastNeeded} />
        <PasskeysCard isLastNeeded={isLastNeeded} />
        {hasFactor && <RecoveryCodesCard left={factors.recovery_codes} />}
        {!isOwed && <PasswordCard />}
        {!isOwed && <IdentitiesCard />}
      </div>
    </StepUpProvider>
  );
}

function OwedNote() {
  const { t } = useTranslation('account');
  return <Note tone="warn">{t('owed.setUp')}</Note>;
}

/** A person who has a factor, in a session that was begun without it. */
function OwedFactor() {
  const { t } = useTranslation('account');
  const queries = useQueryClient();
  const { data: factors } = useSuspenseQuery(factorsQuery);
  return (
    <Card title={t('stepUp.title')} className="max-w-md">
      <p className="mb-4 text-sm text-muted">{t('owed.show')}</p>
      <FactorForm
        methods={listFactorMethods(factors)}
        onShow={async (factor) => adoptSession(queries, await unwrap(meClient.POST('/me/v1/second-factors/verify', { body: factor })))}
      />
    </Card>
  );
}
