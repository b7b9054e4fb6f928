import type { Message, MessageVisibility } from '#contract/chat/shapes.ts'

/** A message of this browser that the server has not confirmed yet. */
export type PendingMessage = {
  /** Its idempotency key: sent again, it is posted once. */
  key: string
  channelId: string
  threadId?: string | undefined
  content: string
  visibility: MessageVisibility
  readerIds: readonly string[]
  fileIds: readonly string[]
  /** Milliseconds since 1970. */
  at: number
  isFailed: boolean
  /** Why the server refused it; undefined without an answer. */
  reason?: string | undefined
}

/** The clocks of browser and server differ. */
const clockMs = 60_000

/** The pending messages that the log does not show yet: the event of one may come before its answer. */
export function notArrived(
  pending: readonly PendingMessage[],
  messages: readonly Message[],
  personId: string,
): readonly PendingMessage[] {
  const free = messages.filter(({ author }) => author.kind === 'USER' && author.id === personId)
  return pending.filter(({ content, at }) => {
    const found = free.findIndex(
      message => message.content === content && Date.parse(message.createdAt) > at - clockMs,
    )
    if (found >= 0) free.splice(found, 1)
    return found < 0
  })
}
