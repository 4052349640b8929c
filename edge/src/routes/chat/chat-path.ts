/** Path of the operation that is dispatched before Express. */
export const CHAT_PATH = '/v1/chat/completions';

/** True when a request target is the chat operation, with or without a query. */
export function isChatTarget(target: string | undefined): boolean {
  return target === CHAT_PATH || target?.startsWith(`${CHAT_PATH}?`) === true;
}
