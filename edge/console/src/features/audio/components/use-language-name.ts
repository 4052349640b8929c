import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';

/** Names of languages as the reader calls them; `mul` are many. */
export function useLanguageName(): (tag: string) => string {
  const { t } = useTranslation('audio');
  const { language } = useFormatter();
  const names = new Intl.DisplayNames([language === 'zh' ? 'zh-Hans' : language], { type: 'language' });
  return (tag) => {
    if (tag === 'mul') return t('manyLanguages');
    try {
      return names.of(tag) ?? tag;
    } catch {
      // Engines name some that no standard knows.
      return tag;
    }
  };
}
