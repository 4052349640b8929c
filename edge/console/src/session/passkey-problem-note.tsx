import { useTranslation } from 'react-i18next';
import { Note } from '../ui/note.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { PasskeyError } from './passkeys.ts';

/** Shows why an operation failed that may have asked for a passkey: the device's reason, or the gateway's. */
export function PasskeyProblemNote({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!(error instanceof PasskeyError)) return <ProblemNote error={error} />;
  return (
    <Note tone="bad" role="alert">
      {t(`passkey.${error.reason}`)}
    </Note>
  );
}
