/** Words in the names of models that make or judge something else than answers. */
const OTHER_KIND: ReadonlySet<string> = new Set([
  // Vectors and orders.
  ...['embed', 'embedding', 'embeddings', 'retrieval', 'retriever', 'rank', 'similarity', 'paraphrase'],
  ...['bge', 'gte', 'e5', 'uae', 'minilm', 'mpnet', 'colbert', 'clip', 'siglip', 'bert', 'modernbert'],
  // Speech and music, in and out.
  ...['tts', 'stt', 'asr', 'vad', 'speech', 'voice', 'transcribe', 'transcription', 'audio', 'realtime', 'live', 'music', 'lyria'],
  ...['parakeet', 'canary', 'kokoro', 'piper', 'orpheus', 'bark', 'xtts', 'coqui', 'sonic', 'eleven', 'playai'],
  // Pictures and films.
  ...['image', 'images', 'imagen', 'imagine', 'dall', 'dalle', 'flux', 'sdxl', 'sd', 'dreamshaper', 'midjourney', 'ideogram'],
  ...['video', 'veo', 'sora', 'kling', 'upscaler'],
  // Judges, readers of pages, and what completes texts without a conversation.
  ...['guard', 'guardian', 'safeguard', 'shieldgemma', 'reward', 'ocr', 'aqa', 'babbage', 'davinci', 'curie'],
]);
/** The same in names that are written together with others, and one model that looks like those it was made from. */
const WRITTEN_TOGETHER = /embed|rerank|whisper|diffusion|moderation|musicgen|wav2vec|^gpt-3\.5-turbo-instruct/;

/**
 * Whether a model answers in chats, as far as its name tells: what is not known for something else does. Models for embeddings, ranking, speech,
 * pictures, films and moderation are known by the words that their makers use.
 */
export function isChatModel(id: string): boolean {
  const name = id.toLowerCase();
  if (WRITTEN_TOGETHER.test(name)) return false;
  return !name.split(/[^a-z0-9]+/).some((word) => OTHER_KIND.has(word) || OTHER_KIND.has(word.replace(/\d+$/, '')));
}
