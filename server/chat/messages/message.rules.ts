import type { Visibility } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { MessageRow } from './message.json.ts'
import type { Change } from './message.sql.ts'
import { searchedWords } from './search/message-search.terms.ts'

/** What decides who sees a message. */
export type Standing = { visibility: Visibility; deleted_at: string | null }

/** True when applications see it. The SQL of chat_message_visible says the same (MSG-3). */
export function isVisible({ visibility, deleted_at }: Standing): boolean {
  return visibility === 'VISIBLE' && deleted_at === null
}

/** True when all members of the channel see what it says. */
export function isShared({ visibility, deleted_at }: Standing): boolean {
  return visibility !== 'PRIVATE' && deleted_at === null
}

const mention = /<@(c[0-9a-z]{24})>/g

/** The ids that a text names as `<@id>`, each once. Refuses more than a message may mention. */
export function namedIn(content: string): string[] {
  const ids = new Set(Array.from(content.matchAll(mention), ([, id]) => id!))
  if (ids.size > limits.messageMentions)
    refuse('content', 'maxMentions', `mentions more than ${limits.messageMentions}`)
  return [...ids]
}

/** Whom a new message reaches. Readers can be named for a private one alone, and the answer of an AI is private. */
export function reachOf({
  visibility,
  readerIds,
  aiReply = false,
}: {
  visibility?: Visibility
  readerIds?: string[]
  aiReply?: boolean
}): { visibility: Visibility; readerIds: string[] } {
  const reached = visibility ?? (aiReply ? 'PRIVATE' : 'VISIBLE')
  if (aiReply) assertStaysPrivate(reached)
  if (readerIds !== undefined && (aiReply || reached !== 'PRIVATE'))
    refuse('readerIds', 'visibility', 'can be given for a PRIVATE message of a person alone')
  return { visibility: reached, readerIds: readerIds ?? [] }
}

/** Refuses to show the answer of an AI to anybody but whom it answers. */
export function assertStaysPrivate(visibility: Visibility): void {
  if (visibility !== 'PRIVATE') refuse('visibility', 'visibility', 'must be PRIVATE for the answer of an AI')
}

/** Refuses a change that changes nothing that can be changed. */
export function assertAsksForSomething(change: { content?: string; visibility?: Visibility }): void {
  if (change.content === undefined && change.visibility === undefined)
    refuse('', 'minProperties', 'must have content or visibility')
}

/** True for who wrote it, and for whom an AI answers with it. */
export function isAuthor({ personId }: Caller, { author_kind, author_id }: MessageRow): boolean {
  return author_kind !== 'APP' && author_id === personId
}

/** What is written when a message says something else or reaches others. */
export function changeTo(before: MessageRow, to: Pick<MessageRow, 'content' | 'visibility'>): Change {
  return {
    content: to.content,
    visibility: to.visibility,
    isEdited: to.content !== before.content,
    isDeleted: false,
    named: namedIn(to.content),
    words: searchedWords(to.content),
    ...difference(before, { ...before, ...to }),
  }
}

/** What is written when it is deleted. */
export function changeToDeleted(before: MessageRow): Change {
  return {
    content: '',
    visibility: before.visibility,
    isEdited: false,
    isDeleted: true,
    named: [],
    words: [],
    ...difference(before, undefined),
  }
}

/** By how much the replies of its thread are more or less. */
function difference(before: Standing, after: Standing | undefined) {
  const more = (counts: (message: Standing) => boolean) =>
    Number(after !== undefined && counts(after)) - Number(counts(before))
  return { replies: more(isShared), visibleReplies: more(isVisible) }
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
