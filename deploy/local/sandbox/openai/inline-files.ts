import { findMimeType } from '@parley/file-content/identify-file-type';
import { type FileContent } from '../engine/files/file-content.ts';

/** Matches a file inside a message, between two lines with its name: how clients send files to a server without uploads. */
const INLINE = /^--- file ("(?:[^"\\\n]|\\.)*")\n([\s\S]*?)^--- end of \1$\n*/gm;

/** Extracts inline files from a text; returns the rest of the text and the files. */
export function extractInlineFiles(text: string): { text: string; files: FileContent[] } {
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
