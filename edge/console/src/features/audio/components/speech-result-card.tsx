import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { AudioPlayer } from '../../../ui/audio-player.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { saveBlob } from '../../../ui/save-file.ts';
import { toFileExtension, isPlayable } from './audio-format.ts';
import { type SpeakFormValues } from './speak-form.tsx';

/** Speech that was synthesized at once; only this page has it. */
export function SpeechResultCard({ audio, order: { voice, input } }: { audio: Blob; order: SpeakFormValues }) {
  const { t } = useTranslation('audio');
  const format = useFormatter();
  const extension = toFileExtension(audio.type);
  return (
    <Card title={t('spoken.title')}>
      <div role="status" className="flex flex-col gap-3">
        {isPlayable(audio.type) ? (
          <AudioPlayer source={audio} label={t('jobs.audioOf', { voice })} isStarted className="w-full" />
        ) : (
          <p className="text-sm text-muted">{t('spoken.notPlayable')}</p>
        )}
        <p className="line-clamp-3 text-sm text-muted">{input}</p>
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-sm text-muted">{t('spoken.facts', { voice, format: audio.type, size: format.bytes(audio.size) })}</span>
          <Button size="small" onClick={() => saveBlob(`speech-${voice}.${extension}`, audio)}>
            <Download className="size-4" aria-hidden />
            {t('spoken.save')}
          </Button>
        </div>
        <p className="text-sm text-muted">{t('spoken.kept')}</p>
      </div>
    </Card>
  );
}
