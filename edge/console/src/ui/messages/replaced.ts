/** What decides whether a message counts. */
interface Counted {
  role: string;
  status: string;
}

/** Whether an answer broke off and another answer to the same question follows it. */
export function isReplaced(message: Counted, next: Counted | undefined): boolean {
  const isBroken = message.status === 'failed' || message.status === 'interrupted';
  return message.role === 'assistant' && isBroken && next?.role === 'assistant';
}
