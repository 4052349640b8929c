import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, type Language, LANGUAGES } from '../../../i18n/i18n.ts';
import { getTheme, chooseTheme, type Theme, THEMES } from '../../../shell/theme.ts';
import { Announcements } from '../../../ui/announcements.tsx';
import { Select } from '../../../ui/field.tsx';

interface SignedOutLayoutProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** The layout of the screens for users who are not signed in: title, lead, theme and language. */
export function SignedOutLayout({ title, lead, children }: SignedOutLayoutProps) {
  const { t, i18n } = useTranslation();
  const [theme, setTheme] = useState(getTheme);
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
        <Select
          aria-label={t('theme.label')}
          value={theme}
          onChange={({ target }) => {
            chooseTheme(target.value as Theme);
            setTheme(target.value as Theme);
          }}
        >
          {THEMES.map((name) => (
            <option key={name} value={name}>
              {t(`theme.${name}`)}
            </option>
          ))}
        </Select>
        <Select aria-label={t('language')} value={i18n.language} onChange={({ target }) => void chooseLanguage(target.value as Language)}>
          {Object.entries(LANGUAGES).map(([code, name]) => (
            <option key={code} value={code} lang={code === 'zh' ? 'zh-Hans' : code}>
              {name}
            </option>
          ))}
        </Select>
      </footer>
      <Announcements />
    </div>
  );
}
