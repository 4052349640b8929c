import { useTranslation } from 'react-i18next';
import { toWorkspaceHref } from '../../../api/me.ts';
import { Card } from '../../../ui/card.tsx';
import { Snippet } from '../../../ui/snippet.tsx';

const OF_ASSET = /^(?:https?:\/\/[^/]+)?(\/v1\/assets\/[^?#]+)/;

/** What a run answered: texts as they are, files of the workspace as players or downloads, and all of it as JSON. */
export function RunOutput({ output, workspaceId }: { output: Record<string, unknown>; workspaceId: string }) {
  const { t } = useTranslation('actions');
  const entries = Object.entries(output);
  const isAudio = entries.some(([, value]) => typeof value === 'string' && value.startsWith('audio/'));
  return (
    <Card title={t('run.output')}>
      <div className="flex flex-col gap-4">
        {entries.map(([name, value]) => (
          <OutputValue key={name} name={name} value={value} isAudio={isAudio} workspaceId={workspaceId} />
        ))}
        <Snippet label={t('run.outputJson')} code={JSON.stringify(output, undefined, 2)} />
      </div>
    </Card>
  );
}

function OutputValue({ name, value, isAudio, workspaceId }: { name: string; value: unknown; isAudio: boolean; workspaceId: string }) {
  const { t } = useTranslation('actions');
  if (typeof value !== 'string') return null;
  const path = OF_ASSET.exec(value)?.[1];
  if (path === undefined) {
    // What is short is seen in the JSON.
    return value.length < 80 ? null : (
      <div>
        <h3 className="text-sm">
          <code>{name}</code>
        </h3>
        <p className="whitespace-pre-wrap break-words">{value}</p>
      </div>
    );
  }
  const href = toWorkspaceHref(workspaceId, `/me${path}` as `/me/v1/${string}`);
  return (
    <div className="flex flex-wrap items-center gap-3">
      {/* Speech that the person had made of a text of theirs. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      {isAudio && <audio controls src={href} aria-label={name} className="max-w-full" />}
      <a href={href} download className="text-accent underline">
        {t('run.download', { name })}
      </a>
    </div>
  );
}
