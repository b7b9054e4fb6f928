import type { MessageVisibility } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { required } from '#platform/required.ts'
import type { MessageRow } from './message.json.ts'
import type { MessageChange } from './message.sql.ts'
import { searchWordsOf } from './search/message-search.terms.ts'

/** The fields that decide who sees a message. */
export type VisibilityState = { visibility: MessageVisibility; deleted_at: string | null }

/** True if applications see the message; the same condition as index chat_message_visible (MSG-3). */
export function isVisible({ visibility, deleted_at }: VisibilityState): boolean {
  return visibility === 'VISIBLE' && deleted_at === null
}

/** True if all members of the channel see the content. */
export function isShared({ visibility, deleted_at }: VisibilityState): boolean {
  return visibility !== 'PRIVATE' && deleted_at === null
}

const mentionPattern = /<@(c[0-9a-z]{24})>/g

/** The distinct ids that a text mentions as `<@id>`. Refuses more than limits.messageMentions. */
export function mentionedIdsIn(content: string): string[] {
  const ids = new Set(
    Array.from(content.matchAll(mentionPattern), ([, id]) => required(id, 'the id of a mention')),
  )
  if (ids.size > limits.messageMentions)
    refuse('content', 'maxMentions', `must not have more than ${limits.messageMentions} mentions`)
  return [...ids]
}

/** The visibility and the readers of a new message. Only private messages have readers, and AI replies are private. */
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
    refuse('readerIds', 'visibility', 'is only allowed for PRIVATE messages that are not AI replies')
  return { visibility: resolved, readerIds: readerIds ?? [] }
}

/** Refuses to share an AI reply: only the person whom it answers may read it. */
export function assertStaysPrivate(visibility: MessageVisibility): void {
  if (visibility !== 'PRIVATE') refuse('visibility', 'visibility', 'must be PRIVATE for an AI reply')
}

export function assertNotEmpty(change: { content?: string; visibility?: MessageVisibility }): void {
  if (change.content === undefined && change.visibility === undefined)
    refuse('', 'minProperties', 'must have content or visibility')
}

/** The author of an AI reply is the person whom it answers. */
export function isAuthor({ personId }: Caller, { author_kind, author_id }: MessageRow): boolean {
  return author_kind !== 'APP' && author_id === personId
}

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

/** The change of the reply counts of the thread. */
function replyCountChange(before: VisibilityState, after: VisibilityState | undefined) {
  const delta = (counts: (message: VisibilityState) => boolean) =>
    Number(after !== undefined && counts(after)) - Number(counts(before))
  return { replies: delta(isShared), visibleReplies: delta(isVisible) }
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
