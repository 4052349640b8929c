import { useRef, useState } from 'react';
import { uploadAttachment } from '../queries/upload-attachment.ts';
import { type Attachment } from '../turn/running-turn.ts';

/** A file on its way to the conversation. */
export interface Upload {
  id: string;
  file: File;
  attachment?: Attachment;
  error?: unknown;
  /** Ends it. */
  abort: AbortController;
  conversationId?: string;
}

interface Uploads {
  list: readonly Upload[];
  isBusy: boolean;
  attachments: readonly Attachment[];
  add: (files: Iterable<File>) => void;
  remove: (id: string) => void;
  retry: (id: string) => void;
  /** Those that were sent. */
  clear: () => void;
}

/** Files of the message that is being written. `ensureConversation` begins one where there is none yet: files belong to a conversation. */
export function useUploads(workspaceId: string, conversationId: string | undefined, ensureConversation: () => Promise<string>): Uploads {
  const [all, setAll] = useState<readonly Upload[]>([]);
  // Several files that are dropped at once begin one conversation.
  const beginning = useRef<Promise<string> | undefined>(undefined);
  const change = (id: string, to: Partial<Upload>) => setAll((list) => list.map((each) => (each.id === id ? { ...each, ...to } : each)));
  const begin = () => {
    beginning.current ??= ensureConversation().finally(() => (beginning.current = undefined));
    return beginning.current;
  };
  const send = async ({ id, file, abort }: Upload) => {
    try {
      const to = conversationId ?? (await begin());
      change(id, { conversationId: to });
      change(id, { attachment: await uploadAttachment(workspaceId, to, file, abort.signal) });
    } catch (error) {
      if (!abort.signal.aborted) change(id, { error });
    }
  };
  const list = all.filter((each) => each.conversationId === undefined || each.conversationId === conversationId);
  return {
    list,
    isBusy: list.some(({ attachment, error }) => !attachment && error === undefined),
    attachments: list.flatMap(({ attachment }) => attachment ?? []),
    add: (files) => {
      const made = [...files].map((file) => ({ id: crypto.randomUUID(), file, abort: new AbortController() }));
      setAll((before) => [...before, ...made]);
      for (const upload of made) void send(upload);
    },
    remove: (id) => {
      all.find((each) => each.id === id)?.abort.abort();
      setAll((before) => before.filter((each) => each.id !== id));
    },
    retry: (id) => {
      const upload = all.find((each) => each.id === id);
      if (!upload) return;
      change(id, { error: undefined });
      void send(upload);
    },
    clear: () => setAll([]),
  };
}
