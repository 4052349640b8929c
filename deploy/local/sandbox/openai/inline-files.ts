import { findMimeType } from '@parley/file-content/identify';
import { type FileContent } from '../engine/files/file-content.ts';

/** A file that was written into a message between two lines that name it: how clients show files to a server that takes none. */
const INLINE = /^--- file ("(?:[^"\\\n]|\\.)*")\n([\s\S]*?)^--- end of \1$\n*/gm;

/** A text without the files that stand in it, and those files. */
export function takeInlineFiles(text: string): { text: string; files: FileContent[] } {
  const files: FileContent[] = [];
  const rest = text.replace(INLINE, (_block, quoted: string, content: string) => {
    files.push(fileOf(nameOf(quoted), content.trimEnd()));
    return '';
  });
  return { text: files.length === 0 ? text : rest.trim(), files };
}

function fileOf(name: string, text: string): FileContent {
  return { name, mimeType: findMimeType(name) ?? 'text/plain', size: Buffer.byteLength(text), text, omitted: '' };
}

function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1);
  }
}
