import { FileText, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Button } from '../../../ui/button.tsx';

interface LongTextsProps {
  texts: readonly string[];
  onRemove: (index: number) => void;
}

/** Texts that were pasted and are too long for the box; they are part of the message. */
export function LongTexts({ texts, onRemove }: LongTextsProps) {
  const { t } = useTranslation('playground');
  const format = useFormatter();
  if (texts.length === 0) return null;
  return (
    <ul aria-label={t('longTexts')} className="flex flex-wrap gap-2">
      {texts.map((text, index) => (
        <li key={index} className="inline-flex items-center gap-2 rounded-lg border bg-canvas py-0.5 ps-2.5 pe-1 text-sm">
          <FileText className="size-3.5 text-muted" aria-hidden />
          {t('longText', { length: format.number(text.length) })}
          <Button look="ghost" size="icon" className="size-7" aria-label={t('removeText')} onClick={() => onRemove(index)}>
            <X className="size-3.5" aria-hidden />
          </Button>
        </li>
      ))}
    </ul>
  );
}
