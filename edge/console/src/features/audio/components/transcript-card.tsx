import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { saveText } from '../../../ui/save-file.ts';
import { type Transcript, type TranscriptFormat } from '../queries/transcription.ts';
import { useLanguageName } from './use-language-name.ts';

const ENDINGS: Record<TranscriptFormat, string> = { json: 'txt', text: 'txt', verbose_json: 'json', srt: 'srt', vtt: 'vtt' };

/** What was understood, to read, copy or save. */
export function TranscriptCard({ transcript: { text, format, facts, name } }: { transcript: Transcript }) {
  const { t } = useTranslation('audio');
  const formatOf = useFormatter();
  const languageName = useLanguageName();
  const segments = facts?.segments ?? [];
  const save = () => saveText(`${name.replace(/\.\w+$/, '')}.${ENDINGS[format]}`, text);
  const actions = (
    <div className="flex items-center gap-1">
      <CopyButton text={text} what={t('transcript.title')} />
      <Button size="small" onClick={save}>
        <Download className="size-4" aria-hidden />
        {t('transcript.save')}
      </Button>
    </div>
  );
  return (
    <Card title={t('transcript.title')} actions={actions}>
      <div className="flex flex-col gap-3">
        {facts && format === 'json' && <p className="break-words whitespace-pre-wrap">{text || t('transcript.silence')}</p>}
        {format === 'verbose_json' && (
          <ol className="flex flex-col gap-1">
            {segments.map(({ id, start, end, text: said }) => (
              <li key={id} className="grid grid-cols-[8rem_1fr] gap-2">
                <span className="text-sm text-muted tabular-nums">{t('transcript.span', { from: clock(start), to: clock(end) })}</span>
                <span className="break-words">{said}</span>
              </li>
            ))}
          </ol>
        )}
        {!facts && (
          <pre tabIndex={0} aria-label={t('transcript.title')} className="max-h-96 overflow-auto text-sm whitespace-pre-wrap">
            {text}
          </pre>
        )}
        {facts && (
          <p className="text-sm text-muted">
            {t('transcript.facts', {
              language: languageName(facts.language),
              duration: formatOf.milliseconds(facts.duration * 1000),
              model: facts.model,
            })}
          </p>
        )}
      </div>
    </Card>
  );
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
