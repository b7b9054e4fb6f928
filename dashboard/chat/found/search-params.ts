/** The search parameters of the message search. */
export type MessageSearchParams = {
  /** The words. */
  q?: string
  /** The channel in which they are searched; without it, all. */
  channel?: string
}

export function messageSearchOf({ q, channel }: Record<string, unknown>): MessageSearchParams {
  return {
    // the router reads a text of digits as a number
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q) }),
    ...(typeof channel === 'string' && channel !== '' && { channel }),
  }
}
