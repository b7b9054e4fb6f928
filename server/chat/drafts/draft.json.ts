import type { Draft } from '#contract/chat/drafts.ts'
import type { DraftRow } from './draft.sql.ts'

export function showDraft({ channel_id, thread_id, content, updated_at }: DraftRow): Draft {
  return {
    channelId: channel_id,
    parentMessageId: thread_id === '' ? null : thread_id,
    content,
    updatedAt: updated_at,
  }
}
