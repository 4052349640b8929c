import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Check, CircleUser, LogOut } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, type Language, LANGUAGES } from '../i18n/i18n.ts';
import { sessionQuery } from '../session/queries.ts';
import { signOut } from '../session/sign-out.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { getTheme, chooseTheme, type Theme } from './theme.ts';

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

/** The person: their account, theme, language, and the way out. */
export function AccountMenu() {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const [theme, setTheme] = useState(getTheme);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const mark = (isChosen: boolean) => <Check className={isChosen ? 'size-4' : 'size-4 opacity-0'} aria-hidden />;
  return (
    <Menu
      align="start"
      trigger={
        <Button look="ghost" className="w-full justify-start">
          <CircleUser className="size-4" aria-hidden />
          <span className="truncate">{session.user.display_name}</span>
        </Button>
      }
    >
      <MenuItem onSelect={() => void navigate({ to: '/account' })}>
        <CircleUser className="size-4" aria-hidden />
        {t('account')}
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>{t('theme.label')}</MenuLabel>
      {THEMES.map((name) => (
        <MenuItem
          key={name}
          onSelect={() => {
            chooseTheme(name);
            setTheme(name);
          }}
        >
          {mark(theme === name)}
          {t(`theme.${name}`)}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuLabel>{t('language')}</MenuLabel>
      {Object.entries(LANGUAGES).map(([code, name]) => (
        <MenuItem key={code} onSelect={() => void chooseLanguage(code as Language)}>
          {mark(i18n.language === code)}
          <span lang={code === 'zh' ? 'zh-Hans' : code}>{name}</span>
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem onSelect={() => void signOut()}>
        <LogOut className="size-4" aria-hidden />
        {t('signOut')}
      </MenuItem>
    </Menu>
  );
}
