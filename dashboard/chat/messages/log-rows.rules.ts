import type { Message } from '#contract/chat/shapes.ts'

/** A line of the log of a channel or thread. `seq`: of its last message. */
export type LogRow =
  | { kind: 'day'; key: string; time: string }
  | { kind: 'new'; key: string }
  | { kind: 'message'; key: string; seq: number; message: Message; isContinued: boolean }
  /** Replies that follow each other in one thread; they are read in the thread. */
  | { kind: 'replies'; key: string; seq: number; rootId: string; replies: readonly Message[] }

const sameAuthorMs = 5 * 60_000

/**
 * The lines of a log: days, the line of new messages, and messages grouped by their author. `newAfter`: the number of the
 * last message that was read; undefined without new ones. In a channel, replies are collected.
 */
export function logRowsOf(
  messages: readonly Message[],
  { newAfter, isThread = false }: { newAfter: number | undefined; isThread?: boolean },
): LogRow[] {
  const rows: LogRow[] = []
  let day = ''
  let isNewShown = false
  for (const message of messages) {
    const ownDay = new Date(message.createdAt).toDateString()
    if (ownDay !== day) rows.push({ kind: 'day', key: `day ${ownDay}`, time: message.createdAt })
    day = ownDay
    if (!isNewShown && newAfter !== undefined && message.seq > newAfter) {
      rows.push({ kind: 'new', key: 'new' })
      isNewShown = true
    }
    addMessage(rows, message, isThread)
  }
  return rows
}

function addMessage(rows: LogRow[], message: Message, isThread: boolean): void {
  const last = rows.at(-1)
  const { id, seq, parentMessageId } = message
  if (isThread || parentMessageId === null) {
    const isContinued = last?.kind === 'message' && isSameHand(last.message, message)
    rows.push({ kind: 'message', key: id, seq, message, isContinued })
  } else if (last?.kind === 'replies' && last.rootId === parentMessageId) {
    rows[rows.length - 1] = { ...last, seq, replies: [...last.replies, message] }
  } else rows.push({ kind: 'replies', key: id, seq, rootId: parentMessageId, replies: [message] })
}

/** Whether a message goes on with what its author wrote a moment ago, for the same readers. */
function isSameHand(former: Message, message: Message): boolean {
  return (
    former.author.id === message.author.id &&
    former.author.kind === message.author.kind &&
    former.visibility === message.visibility &&
    former.deletedAt === null &&
    Date.parse(message.createdAt) - Date.parse(former.createdAt) < sameAuthorMs
  )
}

/** The people and applications of some messages, each once, in the order in which they wrote. */
export function authorsOf(messages: readonly Message[]): Message['author'][] {
  return [...new Map(messages.map(({ author }) => [`${author.kind} ${author.id}`, author])).values()]
}
