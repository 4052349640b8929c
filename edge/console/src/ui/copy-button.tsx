import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from './announcer.ts';
import { Button } from './button.tsx';

/** Puts a text into the clipboard, and says so. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState('');
  const isCopied = copied === text;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
    announce(t('copied', { what }));
  };
  return (
    <Button
      look="ghost"
      size="icon"
      className="size-7"
      aria-label={t('copy', { what })}
      title={t('copy', { what })}
      onClick={() => void copy()}
    >
      {isCopied ? <Check className="size-3.5 text-good" aria-hidden /> : <Copy className="size-3.5" aria-hidden />}
    </Button>
  );
}
