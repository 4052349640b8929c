import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AudioLines } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { providersQuery, type SpeechProvider } from '../queries/speech.ts';
import { EspeakNote } from './engine-notes.tsx';
import { useLanguageName } from './use-language-name.ts';
import { VoiceList } from './voice-list.tsx';

interface VoicesTabProps {
  workspaceId: string;
  /** Whose voices are listed; without one, those of the default. */
  provider: string | undefined;
  canSpeak: boolean;
  onProvider: (name: string) => void;
}

const GRID = 'grid grid-cols-1 gap-3 md:grid-cols-2 xl:grid-cols-3';

/** What speaks here, what it can do, and its voices with a sample. */
export function VoicesTab({ workspaceId, provider: wanted, canSpeak, onProvider }: VoicesTabProps) {
  const { t } = useTranslation('audio');
  const { data: providers, error, refetch } = useQuery(providersQuery(workspaceId));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!providers) return <Skeleton />;
  const usable = providers.filter(({ available }) => available);
  const shown = usable.find(({ name }) => name === wanted) ?? usable.find(({ is_default }) => is_default) ?? usable[0];
  const cardOf = (provider: SpeechProvider) => (
    <ProviderCard
      key={provider.name}
      {...{ workspaceId, provider }}
      isShown={provider.name === shown?.name}
      onShow={() => onProvider(provider.name)}
    />
  );
  return (
    <>
      <div className={GRID}>{usable.map(cardOf)}</div>
      {shown ? (
        <VoiceList key={shown.name} {...{ workspaceId, canSpeak }} provider={shown.name} />
      ) : (
        <EmptyState icon={AudioLines} title={t('voices.noneTitle')}>
          {t('voices.noneText')}
        </EmptyState>
      )}
      <h2 className="mt-4">{t('voices.more')}</h2>
      <div className={GRID}>
        {providers.filter(({ available }) => !available).map(cardOf)}
        {providers.every(({ name }) => name !== 'espeak') && <EspeakNote />}
      </div>
    </>
  );
}

interface ProviderCardProps {
  workspaceId: string;
  provider: SpeechProvider;
  isShown: boolean;
  onShow: () => void;
}

function ProviderCard({ workspaceId, provider, isShown, onShow }: ProviderCardProps) {
  const { t } = useTranslation('audio');
  const languageName = useLanguageName();
  const { name, kind, available, is_default, languages, response_formats, voices } = provider;
  const badges = (
    <div className="flex flex-wrap gap-1">
      {is_default && <Badge tone="accent">{t('provider.default')}</Badge>}
      <Badge tone={available ? 'good' : 'neutral'}>{t(available ? 'provider.available' : 'provider.unavailable')}</Badge>
    </div>
  );
  return (
    <Card title={<code>{name}</code>} actions={badges}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-sm">
        <dt className="text-muted">{t('provider.kind')}</dt>
        <dd>{t(`provider.kinds.${kind}`)}</dd>
        <dt className="text-muted">{t('provider.languages')}</dt>
        <dd>{languages.map(languageName).join(t('listSeparator'))}</dd>
        <dt className="text-muted">{t('provider.formats')}</dt>
        <dd>{response_formats.join(t('listSeparator'))}</dd>
      </dl>
      {available ? (
        <Button size="small" className="mt-3" aria-pressed={isShown} onClick={onShow}>
          {t('provider.voices', { count: voices })}
        </Button>
      ) : (
        <Unavailable workspaceId={workspaceId} provider={provider} />
      )}
    </Card>
  );
}

/** Why a provider cannot be used, and what makes it usable. */
function Unavailable({ workspaceId, provider: { name, reason } }: { workspaceId: string; provider: SpeechProvider }) {
  const { t } = useTranslation('audio');
  return (
    <p className="mt-3 text-sm text-muted">
      {reason === 'account_disabled' ? t('provider.accountDisabled') : t('provider.notConnected', { name })}{' '}
      <Link to="/w/$workspaceId/connections" params={{ workspaceId }} className="text-accent underline">
        {t('provider.toConnections')}
      </Link>
    </p>
  );
}
