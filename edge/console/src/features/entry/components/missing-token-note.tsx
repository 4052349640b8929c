import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { buttonVariants } from '../../../ui/button.tsx';
import { Note } from '../../../ui/note.tsx';

/** Shown in place of a form when the token of its link is missing: how to get a link. */
export function MissingTokenNote({ children }: { children: ReactNode }) {
  const { t } = useTranslation('entry');
  return (
    <>
      <Note tone="warn">{children}</Note>
      <Link to="/sign-in" className={buttonVariants()}>
        {t('toSignIn')}
      </Link>
    </>
  );
}
