import { useTranslation } from 'react-i18next';
import { Note } from '../ui/note.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { PasskeyNotUsed } from './passkeys.ts';

/** Why something did not come about that may have asked for a passkey: the device's reason, or the gateway's. */
export function ActionProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!(error instanceof PasskeyNotUsed)) return <ProblemNote error={error} />;
  return (
    <Note tone="bad" role="alert">
      {t(`passkey.${error.reason}`)}
    </Note>
  );
}
