import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { LanguageOptions, ThemeOptions, useLanguageSelect, useThemeSelect } from '../../../shell/preference-options.tsx';
import { Announcements } from '../../../ui/announcements.tsx';
import { Select } from '../../../ui/field.tsx';

interface SignedOutLayoutProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** The layout of the screens for users who are not signed in: title, lead, theme and language. */
export function SignedOutLayout({ title, lead, children }: SignedOutLayoutProps) {
  const { t } = useTranslation();
  const theme = useThemeSelect();
  const language = useLanguageSelect();
  useEffect(() => {
    document.title = `${title} · Parley`;
  }, [title]);
  return (
    <div className="flex min-h-dvh flex-col">
      <main className="mx-auto flex w-full max-w-md flex-1 flex-col justify-center gap-5 px-4 py-8">
        <img src="/console/icon.svg" alt="Parley" className="size-11" />
        <header>
          <h1 className="text-2xl break-words">{title}</h1>
          {lead !== undefined && <p className="mt-1 text-muted">{lead}</p>}
        </header>
        {children}
      </main>
      <footer className="flex flex-wrap items-center justify-center gap-2 p-4">
        <Select aria-label={t('theme.label')} {...theme}>
          <ThemeOptions />
        </Select>
        <Select aria-label={t('language')} {...language}>
          <LanguageOptions />
        </Select>
      </footer>
      <Announcements />
    </div>
  );
}
