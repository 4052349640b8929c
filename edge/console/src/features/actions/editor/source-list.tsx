import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { TextField } from '../../../ui/field.tsx';
import { parseDocument, findServerUrl, type OpenApiSource } from './document-text.ts';

interface SourceListProps {
  names: readonly string[];
  sources: Readonly<Record<string, OpenApiSource>>;
  onSource: (name: string, source: OpenApiSource) => void;
  onBroken: (fileName: string) => void;
}

/** The OpenAPI documents that the document names: each is opened from a file. */
export function SourceList({ names, sources, onSource, onBroken }: SourceListProps) {
  const { t } = useTranslation('actions');
  if (names.length === 0) return null;
  const open = async (name: string, file: File | undefined) => {
    if (!file) return;
    const parsed = parseDocument(await file.text());
    if ('broken' in parsed) onBroken(file.name);
    else onSource(name, { fileName: file.name, document: parsed.document, server: findServerUrl(parsed.document) });
  };
  return (
    <Card title={t('editor.sources')}>
      <p className="mb-3 max-w-prose text-sm text-muted">{t('editor.sourcesText')}</p>
      <ul className="flex flex-col gap-4">
        {names.map((name) => {
          const source = sources[name];
          return (
            <li key={name} className="grid gap-3 sm:grid-cols-2">
              <TextField
                type="file"
                accept=".json,application/json"
                className="py-1 text-sm"
                label={
                  <>
                    {t('editor.sourceFile', { name })}{' '}
                    {source ? <Badge tone="good">{source.fileName}</Badge> : <Badge tone="warn">{t('editor.sourceMissing')}</Badge>}
                  </>
                }
                onChange={({ target }) => void open(name, target.files?.[0])}
              />
              {source && (
                <TextField
                  type="url"
                  label={t('editor.server')}
                  hint={t('editor.serverHint')}
                  value={source.server}
                  onChange={({ target }) => onSource(name, { ...source, server: target.value })}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
