import type { MessageVisibility } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { MessageRow } from './message.json.ts'
import type { MessageChange } from './message.sql.ts'
import { searchWordsOf } from './search/message-search.terms.ts'

/** What decides who sees a message. */
export type VisibilityState = { visibility: MessageVisibility; deleted_at: string | null }

/** True when applications see it. The SQL of chat_message_visible says the same (MSG-3). */
export function isVisible({ visibility, deleted_at }: VisibilityState): boolean {
  return visibility === 'VISIBLE' && deleted_at === null
}

/** True when all members of the channel see what it says. */
export function isShared({ visibility, deleted_at }: VisibilityState): boolean {
  return visibility !== 'PRIVATE' && deleted_at === null
}

const mentionPattern = /<@(c[0-9a-z]{24})>/g

/** The ids that a text names as `<@id>`, each once. Refuses more than a message may mention. */
export function mentionedIdsIn(content: string): string[] {
  const ids = new Set(Array.from(content.matchAll(mentionPattern), ([, id]) => id!))
  if (ids.size > limits.messageMentions)
    refuse('content', 'maxMentions', `mentions more than ${limits.messageMentions}`)
  return [...ids]
}

/** Whom a new message reaches. Readers can be named for a private one alone, and the answer of an AI is private. */
export function resolveAudience({
  visibility,
  readerIds,
  aiReply = false,
}: {
  visibility?: MessageVisibility
  readerIds?: string[]
  aiReply?: boolean
}): { visibility: MessageVisibility; readerIds: string[] } {
  const resolved = visibility ?? (aiReply ? 'PRIVATE' : 'VISIBLE')
  if (aiReply) assertStaysPrivate(resolved)
  if (readerIds !== undefined && (aiReply || resolved !== 'PRIVATE'))
    refuse('readerIds', 'visibility', 'can be given for a PRIVATE message of a person alone')
  return { visibility: resolved, readerIds: readerIds ?? [] }
}

/** Refuses to show the answer of an AI to anybody but whom it answers. */
export function assertStaysPrivate(visibility: MessageVisibility): void {
  if (visibility !== 'PRIVATE') refuse('visibility', 'visibility', 'must be PRIVATE for the answer of an AI')
}

/** Refuses a change that changes nothing that can be changed. */
export function assertNotEmpty(change: { content?: string; visibility?: MessageVisibility }): void {
  if (change.content === undefined && change.visibility === undefined)
    refuse('', 'minProperties', 'must have content or visibility')
}

/** True for who wrote it, and for whom an AI answers with it. */
export function isAuthor({ personId }: Caller, { author_kind, author_id }: MessageRow): boolean {
  return author_kind !== 'APP' && author_id === personId
}

/** What is written when a message says something else or reaches others. */
export function editChange(
  before: MessageRow,
  to: Pick<MessageRow, 'content' | 'visibility'>,
): MessageChange {
  return {
    content: to.content,
    visibility: to.visibility,
    isEdited: to.content !== before.content,
    isDeleted: false,
    mentionedIds: mentionedIdsIn(to.content),
    searchWords: searchWordsOf(to.content),
    ...replyCountChange(before, { ...before, ...to }),
  }
}

/** What is written when it is deleted. */
export function deletionChange(before: MessageRow): MessageChange {
  return {
    content: '',
    visibility: before.visibility,
    isEdited: false,
    isDeleted: true,
    mentionedIds: [],
    searchWords: [],
    ...replyCountChange(before, undefined),
  }
}

/** By how much the replies of its thread are more or less. */
function replyCountChange(before: VisibilityState, after: VisibilityState | undefined) {
  const delta = (counts: (message: VisibilityState) => boolean) =>
    Number(after !== undefined && counts(after)) - Number(counts(before))
  return { replies: delta(isShared), visibleReplies: delta(isVisible) }
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
