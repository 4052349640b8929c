import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeGif, makeJpeg, makePng, makeWebp, makeZip, text } from '../../../services/file-content/test/fixtures/make-bytes.ts';
import { makeDocx, makePdf, makePptx, makeXlsx } from '../../../services/file-content/test/fixtures/make-documents.ts';
import { ask, said } from '../harness/chat.ts';
import { makeTenant, type Provider } from '../harness/tenant.ts';
import { inBothTopologies } from '../harness/topologies.ts';
import { attach, type Uploader } from '../harness/upload.ts';

const SENTENCE = 'The code word of the cellar is marzipan.';
const QUESTION = 'what is the code word of the cellar?';

/** A file of every supported type, a question about it, and what the answer must hold. */
const FILES: [name: string, make: () => Promise<Uint8Array> | Uint8Array, question: string, answer: string][] = [
  ['notes.txt', () => text(`Three doors.\n${SENTENCE}\n`), QUESTION, 'marzipan'],
  ['notes.md', () => text(`# Doors\n\n- ${SENTENCE}\n`), QUESTION, 'marzipan'],
  ['report.pdf', () => makePdf('Three doors.', SENTENCE), QUESTION, 'marzipan'],
  ['boats.docx', makeDocx, 'where does the Zephyr lie, which pier?', 'pier 7'],
  ['catch.xlsx', makeXlsx, 'how many Kilos of Herring?', '12.5'],
  ['plans.pptx', makePptx, 'what about the Lamp?', '400 W'],
  ['doors.csv', () => text('room,code word\ncellar,marzipan\nattic,nougat\n'), 'what stands beside the cellar?', 'marzipan'],
  ['doors.json', () => text(JSON.stringify({ note: SENTENCE })), QUESTION, 'marzipan'],
  ['doors.xml', () => text(`<?xml version="1.0"?><note>${SENTENCE}</note>`), QUESTION, 'marzipan'],
  ['doors.py', () => text(`# ${SENTENCE}\nprint("open")\n`), QUESTION, 'marzipan'],
  ['doors.js', () => text(`// ${SENTENCE}\nconsole.log("open");\n`), QUESTION, 'marzipan'],
  ['doors.ts', () => text(`// ${SENTENCE}\nexport const open: boolean = true;\n`), QUESTION, 'marzipan'],
  [
    'things.zip',
    () => makeZip({ 'doors/cellar.txt': 'locked', 'doors/attic.txt': 'open' }),
    'what is in the file things.zip?',
    'cellar.txt',
  ],
];
const IMAGES: [name: string, bytes: Uint8Array][] = [
  ['a.png', makePng(40, 30)],
  ['a.jpg', makeJpeg(40, 30)],
  ['a.gif', makeGif(40, 30)],
  ['a.webp', makeWebp(40, 30)],
];

describe('a file of every type is attached and asked about', () => {
  inBothTopologies((gateway) => {
    describe.each<Provider>(['sandbox', 'openai-compatible'])('on %s', (provider) => {
      let me: Uploader;
      let conversation: string;
      beforeEach(async () => {
        const { apiKey: key } = await makeTenant(gateway, [provider]);
        me = { gateway: gateway(), key };
        conversation = said(await ask(gateway(), { key, say: 'hello' })).conversation;
      });
      const askAbout = async (say: string, files: string[] = []) =>
        said(await ask(gateway(), { key: me.key, conversation, say, body: { attachment_file_ids: files } })).text;

      it.each(FILES)('%s', async (name, make, question, answer) => {
        const { file_id: file } = await attach(me, conversation, { name, bytes: await make() });
        expect(await askAbout(question, [file])).toContain(answer);
        // What was attached once belongs to the conversation.
        expect(await askAbout(question)).toContain(answer);
      });

      it.each(IMAGES)('%s', async (name, bytes) => {
        const attached = await attach(me, conversation, { name, bytes });
        expect(attached).toMatchObject({ width: 40, height: 30, file_name: name });
        expect(await askAbout('what is in the picture?', [attached.file_id])).toMatch(/40×30 pixels|\b1 image\b/);
      });
    });
  });
});
