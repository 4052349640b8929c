import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { versionQuery } from '../queries/documents.ts';
import { DocumentEditor } from './document-editor.tsx';

interface PublishedEditorProps {
  workspaceId: string;
  slug: string;
  /** The one that editing begins with. */
  version: number;
}

/** Edits what was published of an action. It stays with the version that it began with: the next one is what is being written. */
export function PublishedEditor({ workspaceId, slug, version }: PublishedEditorProps) {
  const [begun] = useState(version);
  const { data } = useSuspenseQuery(versionQuery(slug, begun));
  return <DocumentEditor workspaceId={workspaceId} slug={slug} published={data} />;
}
