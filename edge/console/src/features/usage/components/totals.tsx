import { useTranslation } from 'react-i18next';
import { type UsageGroup } from '../../../api/usage.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { StatTile, StatTileGrid } from './stat-tile.tsx';

/** What all groups have in common; the times are those of `whole`, which is one group of everything. */
export function Totals({ groups, whole }: { groups: readonly UsageGroup[]; whole: UsageGroup | undefined }) {
  const { t } = useTranslation('usage');
  const format = useFormatter();
  const sum = (of: (group: UsageGroup) => number) => groups.reduce((all, group) => all + of(group), 0);
  const requests = sum((group) => group.requests);
  const failed = sum(({ errors }) => errors);
  const limited = sum(({ rate_limited }) => rate_limited);
  const [tokensIn, tokensOut] = [sum(({ tokens_in }) => tokens_in), sum(({ tokens_out }) => tokens_out)];
  const audioMs = sum(({ audio_ms }) => audio_ms);
  return (
    <StatTileGrid>
      <StatTile
        name={t('series.requests')}
        value={format.number(requests)}
        note={t('limited', { count: limited, number: format.number(limited) })}
      />
      <StatTile
        name={t('series.errors')}
        value={format.number(failed)}
        note={requests > 0 && t('share', { share: format.percent(failed / requests) })}
      />
      <StatTile
        name={t('measures.tokens')}
        value={format.number(tokensIn + tokensOut)}
        note={t('inOut', { in: format.number(tokensIn), out: format.number(tokensOut) })}
      />
      {audioMs > 0 && <StatTile name={t('measures.audio')} value={format.milliseconds(audioMs)} note={t('audioHint')} />}
      {whole && whole.first_token.count > 0 && (
        <StatTile
          name={t('firstToken')}
          value={format.milliseconds(whole.first_token.p50_ms)}
          note={t('p95', { time: format.milliseconds(whole.first_token.p95_ms), total: format.milliseconds(whole.duration.p95_ms) })}
        />
      )}
    </StatTileGrid>
  );
}
