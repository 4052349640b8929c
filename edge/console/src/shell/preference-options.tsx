import { type ChangeEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, type Language, LANGUAGES } from '../i18n/i18n.ts';
import { chooseTheme, getTheme, type Theme, THEMES } from './theme.ts';

type SelectChange = ChangeEvent<HTMLSelectElement>;

/** Value and change handler of a select of `ThemeOptions`. */
export function useThemeSelect() {
  const [value, setValue] = useState(getTheme);
  const onChange = ({ target }: SelectChange) => {
    chooseTheme(target.value as Theme);
    setValue(target.value as Theme);
  };
  return { value, onChange };
}

/** Value and change handler of a select of `LanguageOptions`. */
export function useLanguageSelect() {
  const { i18n } = useTranslation();
  return { value: i18n.language, onChange: ({ target }: SelectChange) => void chooseLanguage(target.value as Language) };
}

/** The themes, as options of a select. */
export function ThemeOptions() {
  const { t } = useTranslation();
  return THEMES.map((name) => (
    <option key={name} value={name}>
      {t(`theme.${name}`)}
    </option>
  ));
}

/** The languages, each in its own name, as options of a select. */
export function LanguageOptions() {
  return Object.entries(LANGUAGES).map(([code, name]) => (
    <option key={code} value={code} lang={code === 'zh' ? 'zh-Hans' : code}>
      {name}
    </option>
  ));
}
