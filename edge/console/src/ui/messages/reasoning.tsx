import { useTranslation } from 'react-i18next';
import { LongText } from './long-text.tsx';

/** What a model thought before its answer; open while it thinks. */
export function Reasoning({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  const { t } = useTranslation();
  return (
    <details open={isGrowing || undefined} className="rounded-lg border border-dashed px-3 py-2 text-sm text-muted">
      <summary className="cursor-pointer">{t(isGrowing ? 'messages.reasoning' : 'messages.reasoned')}</summary>
      <div className="pt-2">
        <LongText text={text} />
      </div>
    </details>
  );
}
