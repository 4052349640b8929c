import { useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { Markdown } from '../markdown.tsx';
import { LongText } from './long-text.tsx';

/** Characters up to which markdown is understood fast enough, of a text that is complete and of one that still grows. */
const MARKDOWN = { complete: 60_000, growing: 12_000 };

/** The text of an answer: as markdown, or as it is where it is too long for that. */
export function AnswerText({ text, isGrowing = false }: { text: string; isGrowing?: boolean }) {
  const { t } = useTranslation();
  const shown = useDeferredValue(text);
  if (shown.length <= (isGrowing ? MARKDOWN.growing : MARKDOWN.complete)) {
    // Lines of an answer are lines, as its author wrote them.
    return (
      <div className="[&_p]:whitespace-pre-line">
        <Markdown text={shown} />
      </div>
    );
  }
  return (
    <>
      {!isGrowing && <p className="text-xs text-muted">{t('messages.tooLongForMarkdown')}</p>}
      <LongText text={shown} />
    </>
  );
}
