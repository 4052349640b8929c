import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Snippet } from '../../../ui/snippet.tsx';

/** The engine for a hundred languages, which an operator installs: it is under the GPL, so Parley brings none. */
export function EspeakNote() {
  const { t } = useTranslation('audio');
  return (
    <Card title={<code>{'espeak'}</code>} actions={<Badge>{t('provider.notInstalled')}</Badge>}>
      <p className="mb-2 text-sm text-muted">{t('engines.espeak')}</p>
      <Snippet code="apt-get install espeak-ng" label={t('engines.install')} />
    </Card>
  );
}

/** What makes transcription possible where nothing transcribes. */
export function NoTranscription() {
  const { t } = useTranslation('audio');
  return (
    <Card title={t('engines.noTranscription')}>
      <p className="mb-3 max-w-prose text-sm">{t('engines.noTranscriptionText')}</p>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <div className="min-w-0">
          <h3 className="mb-1 text-sm font-medium">{t('engines.server')}</h3>
          <p className="mb-2 text-sm text-muted">{t('engines.serverText')}</p>
          <Snippet
            code="npx parley connections add openai-transcription --label whisper --base-url https://whisper.example.com/v1 --api-key-env WHISPER_KEY"
            label={t('engines.server')}
          />
        </div>
        <div className="min-w-0">
          <h3 className="mb-1 text-sm font-medium">{t('engines.here')}</h3>
          <p className="mb-2 text-sm text-muted">{t('engines.hereText')}</p>
          <Snippet code="apt-get install pocketsphinx pocketsphinx-en-us" label={t('engines.here')} />
        </div>
      </div>
    </Card>
  );
}
