/** Words in the names of models that do not answer chats. */
const OTHER_KIND: ReadonlySet<string> = new Set([
  // Embedding and ranking.
  ...['embed', 'embedding', 'embeddings', 'retrieval', 'retriever', 'rank', 'similarity', 'paraphrase'],
  ...['bge', 'gte', 'e5', 'uae', 'minilm', 'mpnet', 'colbert', 'clip', 'siglip', 'bert', 'modernbert'],
  // Speech and music, as input or output.
  ...['tts', 'stt', 'asr', 'vad', 'speech', 'voice', 'transcribe', 'transcription', 'audio', 'realtime', 'live', 'music', 'lyria'],
  ...['parakeet', 'canary', 'kokoro', 'piper', 'orpheus', 'bark', 'xtts', 'coqui', 'sonic', 'eleven', 'playai'],
  // Images and video.
  ...['image', 'images', 'imagen', 'imagine', 'dall', 'dalle', 'flux', 'sdxl', 'sd', 'dreamshaper', 'midjourney', 'ideogram'],
  ...['video', 'veo', 'sora', 'kling', 'upscaler'],
  // Moderation, reward and OCR models, and text completion without a conversation.
  ...['guard', 'guardian', 'safeguard', 'shieldgemma', 'reward', 'ocr', 'aqa', 'babbage', 'davinci', 'curie'],
]);
/** Such words within longer words, and one completion model whose name looks like a chat model's. */
const WRITTEN_TOGETHER = /embed|rerank|whisper|diffusion|moderation|musicgen|wav2vec|^gpt-3\.5-turbo-instruct/;

/**
 * Whether a model answers chats, judged by its name: true unless the name contains a word that vendors use for embeddings, ranking, speech,
 * images, video or moderation.
 */
export function isChatModel(id: string): boolean {
  const name = id.toLowerCase();
  if (WRITTEN_TOGETHER.test(name)) return false;
  return !name.split(/[^a-z0-9]+/).some((word) => OTHER_KIND.has(word) || OTHER_KIND.has(word.replace(/\d+$/, '')));
}
