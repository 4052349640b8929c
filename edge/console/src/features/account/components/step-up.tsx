import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { meClient } from '../../../api/me.ts';
import { asProblem } from '../../../api/problem.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { adoptSession } from '../../../session/adopt-session.ts';
import { FactorForm } from '../../../session/factor-form.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { factorsQuery } from '../queries/account.ts';
import { listFactorMethods } from '../queries/list-factor-methods.ts';

/** Runs an operation; when the gateway requires the second factor again, asks for it and repeats the operation. */
export type StepUpRunner = <T>(operation: () => Promise<T>) => Promise<T>;

const StepUp = createContext<StepUpRunner>((operation) => operation());

/** Returns the runner for operations that may require the second factor again. */
export function useStepUp(): StepUpRunner {
  return use(StepUp);
}

interface Waiting {
  repeat: () => void;
  giveUp: () => void;
}

/** Offers `useStepUp` to what is inside, and asks for the factor in a dialog. */
export function StepUpProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation('account');
  const queries = useQueryClient();
  const { data: factors } = useQuery(factorsQuery);
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<Waiting>(undefined);
  const methods = listFactorMethods(factors);
  const canShow = methods.length > 0;
  const withFactor = useCallback<StepUpRunner>(
    async (operation) => {
      try {
        return await operation();
      } catch (error) {
        const problem = asProblem(error);
        if (problem.code !== 'SECOND_FACTOR_REQUIRED' || !canShow) throw error;
        await new Promise<void>((resolve, reject) => {
          waiting.current = { repeat: resolve, giveUp: () => reject(problem) };
          setOpen(true);
        });
        return operation();
      }
    },
    [canShow],
  );
  const close = (answer: keyof Waiting) => {
    setOpen(false);
    waiting.current?.[answer]();
    waiting.current = undefined;
  };
  return (
    <StepUp value={withFactor}>
      {children}
      <Dialog isOpen={isOpen} onClose={() => close('giveUp')} title={t('stepUp.title')} description={t('stepUp.lead')}>
        <FactorForm
          methods={methods}
          onShow={async (factor) => {
            adoptSession(queries, await unwrap(meClient.POST('/me/v1/second-factors/verify', { body: factor })));
            close('repeat');
            await queries.invalidateQueries({ queryKey: factorsQuery.queryKey });
          }}
        />
      </Dialog>
    </StepUp>
  );
}
