import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonLook } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';

/** In place of a form whose link is missing: how to come to one. */
export function NoToken({ children }: { children: ReactNode }) {
  const { t } = useTranslation('entry');
  return (
    <>
      <Note tone="warn">{children}</Note>
      <Link to="/sign-in" className={buttonLook()}>
        {t('toSignIn')}
      </Link>
    </>
  );
}
