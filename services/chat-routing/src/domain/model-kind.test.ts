import { describe, expect, it } from '@jest/globals';
import { isChatModel } from './model-kind.ts';

const CHAT = {
  OpenAI: [
    'gpt-4o',
    'gpt-4o-mini',
    'gpt-4.1-nano',
    'gpt-5',
    'gpt-5.1-codex',
    'o3-mini',
    'o4-mini',
    'chatgpt-4o-latest',
    'gpt-3.5-turbo-0125',
  ],
  Ollama: [
    ...['llama3.2:latest', 'llama3.2-vision:11b', 'qwen3:30b-a3b-instruct-2507-q4_K_M', 'deepseek-r1:14b', 'gemma3:4b', 'phi4-mini:latest'],
    ...[
      'mistral-nemo',
      'gpt-oss:20b',
      'smollm2:135m',
      'llava:7b',
      'codellama:7b-instruct',
      'hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M',
    ],
  ],
  Mistral: ['mistral-large-latest', 'mistral-small-2506', 'codestral-latest', 'ministral-8b-latest', 'pixtral-12b', 'voxtral-small-latest'],
  Cohere: ['command-r-plus-08-2024', 'command-a-03-2025', 'c4ai-aya-expanse-32b', 'command-a-vision-07-2025'],
  Google: ['gemini-2.5-pro', 'models/gemini-2.5-flash', 'gemini-3-pro-preview', 'gemma-3-27b-it', 'learnlm-2.0-flash-experimental'],
  Anthropic: ['claude-sonnet-4-5-20250929', 'claude-3-5-haiku-latest', 'anthropic.claude-3-haiku-20240307-v1:0'],
  Together: [
    ...[
      'meta-llama/Llama-3.3-70B-Instruct-Turbo',
      'Qwen/Qwen2.5-VL-72B-Instruct',
      'deepseek-ai/DeepSeek-V3',
      'moonshotai/Kimi-K2-Instruct-0905',
    ],
    ...['mistralai/Mixtral-8x7B-Instruct-v0.1', 'google/gemma-2-27b-it'],
  ],
  others: [
    'grok-4-fast',
    'sonar-pro',
    'deepseek-chat',
    'deepseek-reasoner',
    'openrouter/auto',
    'glm-4.6',
    'amazon.nova-lite-v1:0',
    'sandbox-1',
  ],
};

const OTHER = {
  OpenAI: [
    ...['text-embedding-3-large', 'text-embedding-ada-002', 'whisper-1', 'tts-1-hd', 'gpt-4o-mini-tts', 'gpt-4o-transcribe-diarize'],
    ...[
      'gpt-realtime-mini',
      'gpt-4o-audio-preview',
      'dall-e-3',
      'gpt-image-1',
      'sora-2-pro',
      'omni-moderation-latest',
      'text-moderation-stable',
    ],
    ...['babbage-002', 'davinci-002', 'gpt-3.5-turbo-instruct'],
  ],
  Ollama: [
    ...['nomic-embed-text:latest', 'mxbai-embed-large', 'all-minilm:33m', 'bge-m3:567m', 'snowflake-arctic-embed2', 'embeddinggemma:300m'],
    ...[
      'paraphrase-multilingual',
      'qwen3-embedding:8b',
      'dengcao/Qwen3-Reranker-8B:Q4_K_M',
      'llama-guard3:8b',
      'shieldgemma:2b',
      'granite3-guardian:8b',
    ],
  ],
  Mistral: ['mistral-embed', 'codestral-embed-2505', 'mistral-moderation-2411', 'mistral-ocr-latest', 'voxtral-mini-transcribe-2507'],
  Cohere: ['embed-english-v3.0', 'embed-v4.0', 'rerank-v3.5', 'rerank-multilingual-v3.0'],
  Google: [
    ...['models/text-embedding-004', 'gemini-embedding-001', 'imagen-4.0-generate-001', 'veo-3.0-generate-001', 'models/aqa'],
    ...['gemini-2.5-flash-preview-tts', 'gemini-2.5-flash-native-audio-latest', 'gemini-2.0-flash-live-001', 'gemini-2.5-flash-image'],
  ],
  LocalAI: [
    'stablediffusion',
    'dreamshaper',
    'whisper-base-q5_1',
    'voice-en-us-amy-low',
    'jina-reranker-v1-base-en',
    'silero-vad',
    'bark',
    'kokoro',
  ],
  Together: [
    ...['BAAI/bge-large-en-v1.5', 'WhereIsAI/UAE-Large-V1', 'togethercomputer/m2-bert-80M-8k-retrieval', 'Salesforce/Llama-Rank-V1'],
    ...['intfloat/multilingual-e5-large-instruct', 'Alibaba-NLP/gte-modernbert-base', 'mixedbread-ai/Mxbai-Rerank-Large-V2'],
    ...['black-forest-labs/FLUX.1-schnell', 'stabilityai/stable-diffusion-xl-base-1.0', 'meta-llama/Llama-Guard-4-12B', 'cartesia/sonic-2'],
  ],
  others: [
    'whisper-large-v3-turbo',
    'playai-tts',
    'canopylabs/orpheus-v1-english',
    'openai/gpt-oss-safeguard-20b',
    'grok-2-image-1212',
    'nvidia/nv-embedqa-e5-v5',
  ],
};

describe('isChatModel', () => {
  it.each(Object.entries(CHAT))('knows what chats at %s', (_maker, ids) => {
    expect(ids.filter((id) => !isChatModel(id))).toEqual([]);
  });

  it.each(Object.entries(OTHER))('knows what does not chat at %s', (_maker, ids) => {
    expect(ids.filter(isChatModel)).toEqual([]);
  });
});
