import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { FileUp, Rocket } from 'lucide-react';
import { lazy, Suspense, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { RunTab } from '../components/run-tab.tsx';
import { ACTIONS_QUERY_KEY, type ActionDetail } from '../queries/catalog.ts';
import { type Finding, publishDocument, type PublishedVersion, validateDocument } from '../queries/documents.ts';
import { type EditorHandle } from './code-editor.tsx';
import {
  parseDocument,
  createSampleDocument,
  type OpenApiSource,
  sourceNames,
  toOpenApiSources,
  toActionDocument,
  formatDocument,
} from './document-text.ts';
import { FindingList } from './finding-list.tsx';
import { SourceList } from './source-list.tsx';

const CodeEditor = lazy(() => import('./code-editor.tsx'));
const NONE: readonly Finding[] = [];

interface DocumentEditorProps {
  workspaceId: string;
  /** Of the action that is edited; a document with another one is another action. */
  slug: string;
  /** The version that is edited; undefined where there is no such action yet, and a sketch is. */
  published?: PublishedVersion;
}

/** Writes the document of an action: checked by the gateway while one types, then published and tried. */
export function DocumentEditor({ workspaceId, slug, published: begun }: DocumentEditorProps) {
  const { t } = useTranslation('actions');
  const mayPublish = usePermissionCheck()('actions.publish');
  const queries = useQueryClient();
  const hintId = useId();
  const fileInput = useRef<HTMLInputElement>(null);
  const editor = useRef<EditorHandle>(null);
  const [text, setText] = useState(() => (begun ? formatDocument(begun.document) : createSampleDocument(slug)));
  const [saved, setSaved] = useState(text);
  // A sketch, or a file that was opened, may be published as it is.
  const [isOwn, setOwn] = useState(!begun);
  const [sources, setSources] = useState<Readonly<Record<string, OpenApiSource>>>(() =>
    begun ? toOpenApiSources(begun.sources, t('editor.ofVersion', { version: begun.version })) : {},
  );
  const [areSourcesChanged, setSourcesChanged] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [published, setPublished] = useState<ActionDetail>();

  const parsed = parseDocument(text);
  const written = 'document' in parsed ? parsed.document : undefined;
  const body = written && toActionDocument(written, sources);
  const check = useQuery({
    queryKey: ['action-validation', body],
    queryFn: () => (body ? validateDocument(body) : null),
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const findings =
    'broken' in parsed ? [{ path: '', message: t('editor.notJson', { why: parsed.broken }) }] : (check.data?.findings ?? NONE);
  const publish = useMutation({
    mutationFn: publishDocument,
    onSuccess: async (action) => {
      setSaved(text);
      setPublished(action);
      announce(t('editor.published', { slug: action.slug, version: action.version }));
      await queries.invalidateQueries({ queryKey: ACTIONS_QUERY_KEY });
    },
  });
  const isUnsaved = text !== saved;
  const leaving = useBlocker({ shouldBlockFn: () => isUnsaved, enableBeforeUnload: () => isUnsaved, withResolver: true });

  const otherSlug = check.data?.slug != null && check.data.slug !== slug ? check.data.slug : undefined;
  // An older version may be published again as it is; the current one is published already.
  const isNews = isOwn || isUnsaved || areSourcesChanged || begun?.current === false;
  const isReady = body !== undefined && check.data?.valid === true && !check.isFetching && isNews;
  const onBroken = (fileName: string) => announce(t('editor.noJsonFile', { name: fileName }));
  const open = async (file: File | undefined) => {
    if (!file) return;
    const content = await file.text();
    if ('broken' in parseDocument(content)) onBroken(file.name);
    setText(content);
    setSaved(content);
    setOwn(true);
  };
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => fileInput.current?.click()}>
          <FileUp className="size-4" aria-hidden />
          {t('editor.open')}
        </Button>
        <input
          ref={fileInput}
          type="file"
          hidden
          aria-label={t('editor.open')}
          accept=".json,application/json"
          onChange={({ target }) => {
            void open(target.files?.[0]);
            target.value = '';
          }}
        />
        {mayPublish && (
          <Button look="primary" disabled={!isReady} onClick={() => setAsking(true)}>
            <Rocket className="size-4" aria-hidden />
            {t('editor.publish')}
          </Button>
        )}
      </div>
      <p className="max-w-prose text-sm text-muted">{begun ? t('editor.isVersion', { version: begun.version }) : t('editor.where')}</p>
      <Suspense fallback={<Skeleton rows={8} />}>
        <CodeEditor ref={editor} label={t('editor.label')} describedBy={hintId} text={text} onChange={setText} findings={findings} />
      </Suspense>
      <p id={hintId} className="text-sm text-muted">
        {t('editor.keys')}
      </p>
      {check.error ? (
        <ProblemNote error={check.error} onRetry={() => void check.refetch()} />
      ) : (
        <FindingList isChecking={check.isFetching} findings={findings} onReveal={(pointer) => editor.current?.reveal(pointer)} />
      )}
      {otherSlug !== undefined && <p className="text-sm text-warn">{t('editor.otherSlug', { slug: otherSlug })}</p>}
      <SourceList
        names={written ? sourceNames(written) : []}
        sources={sources}
        onSource={(name, source) => {
          setSources({ ...sources, [name]: source });
          setSourcesChanged(true);
        }}
        onBroken={onBroken}
      />
      <ConfirmDialog
        isOpen={isAsking && body !== undefined}
        onClose={() => setAsking(false)}
        title={t('editor.publishTitle', { slug: check.data?.slug ?? slug })}
        action={t('editor.publish')}
        onConfirm={async () => body && publish.mutateAsync(body)}
      >
        {t('editor.publishText')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={leaving.status === 'blocked'}
        onClose={() => leaving.reset?.()}
        title={t('editor.leaveTitle')}
        action={t('editor.leave')}
        onConfirm={async () => leaving.proceed?.()}
      >
        {t('editor.leaveText')}
      </ConfirmDialog>
      {published && (
        <section aria-label={t('editor.trial')} className="flex flex-col gap-3">
          <h2>{t('editor.trialOf', { slug: published.slug, version: published.version })}</h2>
          <p className="max-w-prose text-sm text-muted">{t('editor.trialText')}</p>
          <RunTab key={`${published.slug} ${published.version}`} workspaceId={workspaceId} action={published} />
        </section>
      )}
    </div>
  );
}
