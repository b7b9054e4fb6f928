import type { AppMessage, Message, MessageVisibility } from '#contract/chat/shapes.ts'
import { showFile } from '../files/file.json.ts'
import type { FileRow } from '../files/file.sql.ts'

export type MessageMention = { kind: 'USER' | 'APP'; id: string }

export type MessageRow = {
  id: string
  channel_id: string
  seq: number
  root_id: string | null
  author_kind: 'USER' | 'APP' | 'AI'
  author_id: string
  author_name: string | null
  content: string
  visibility: MessageVisibility
  created_at: string
  edited_at: string | null
  deleted_at: string | null
  reply_count: number
  last_reply_at: string | null
  visible_reply_count: number
  visible_last_reply_at: string | null
  /** The root of the thread, if it is visible to all members, and if it is visible to applications. */
  shared_root_id: string | null
  visible_root_id: string | null
  mentions: MessageMention[] | null
}
/** For one person, who may also read a private root and files. */
export type ReadableMessageRow = MessageRow & {
  readable_root_id: string | null
  attachments: FileRow[] | null
}

/** A message, as a person reads it. The thread is hidden if its root is. */
export function showMessage(row: ReadableMessageRow): Message {
  const isDeleted = row.deleted_at !== null
  return {
    ...sharedFields(row),
    seq: row.seq,
    parentMessageId: row.readable_root_id,
    replyCount: row.reply_count,
    lastReplyAt: row.last_reply_at,
    content: isDeleted ? null : row.content,
    attachments: (row.attachments ?? []).map(showFile),
    visibility: row.visibility,
    deletedAt: row.deleted_at,
  }
}

/** A message, as an application reads it: only visible replies and roots count (MSG-6). */
export function showAppMessage(row: MessageRow): AppMessage {
  return {
    ...sharedFields(row),
    parentMessageId: row.visible_root_id,
    replyCount: row.visible_reply_count,
    lastReplyAt: row.visible_last_reply_at,
    content: row.content,
  }
}

function sharedFields(row: MessageRow) {
  return {
    id: row.id,
    channelId: row.channel_id,
    author: { kind: row.author_kind, id: row.author_id, displayName: row.author_name ?? 'AI' },
    createdAt: row.created_at,
    editedAt: row.edited_at,
    mentions: row.mentions ?? [],
  }
}

export function mentionedApplications({ mentions }: MessageRow): string[] {
  return (mentions ?? []).filter(({ kind }) => kind === 'APP').map(({ id }) => id)
}
