import { expect, it } from 'vitest'
import type { Message } from '#contract/chat/shapes.ts'
import { firstOf, itemAt } from '#tests/support/elements.ts'
import { authorsOf, logRowsOf } from './log-rows.rules.ts'

let seq = 0
function message(by: string, createdAt: string, part: Partial<Message> = {}): Message {
  seq++
  const author = { kind: 'USER' as const, id: by, displayName: by }
  return {
    id: `m${seq}`,
    seq,
    author,
    createdAt,
    parentMessageId: null,
    visibility: 'VISIBLE',
    deletedAt: null,
    ...part,
  } as Message
}
const outline = (messages: readonly Message[], newAfter?: number, isThread = false) =>
  logRowsOf(messages, { newAfter, isThread }).map(row =>
    row.kind === 'message'
      ? `${row.isContinued ? '+' : ''}${row.message.author.id}`
      : row.kind === 'replies'
        ? `${row.replies.length} to ${row.rootId}`
        : row.kind,
  )

it('groups what one author writes within five minutes for the same readers, and separates days', () => {
  const messages = [
    message('mei', '2026-11-20T10:00:00Z'),
    message('mei', '2026-11-20T10:04:00Z'),
    message('mei', '2026-11-20T10:05:00Z', { visibility: 'INTERNAL' }),
    message('mei', '2026-11-20T10:11:00Z', { visibility: 'INTERNAL' }),
    message('amir', '2026-11-20T10:12:00Z'),
    message('amir', '2026-11-22T10:12:00Z'),
  ]
  expect(outline(messages)).toEqual(['day', 'mei', '+mei', 'mei', 'mei', 'amir', 'day', 'amir'])
})

it('shows the line of new messages once, before the first of them, and begins a group there', () => {
  const messages = ['10:00', '10:01', '10:02'].map(time => message('mei', `2026-11-20T${time}:00Z`))
  expect(outline(messages, firstOf(messages).seq)).toEqual(['day', 'mei', 'new', 'mei', '+mei'])
  expect(outline(messages, itemAt(messages, 2).seq)).toEqual(['day', 'mei', '+mei', '+mei'])
})

it('collects replies of one thread in a channel, and shows them one by one in the thread', () => {
  const root = message('mei', '2026-11-20T10:00:00Z')
  const reply = (by: string, minute: number) =>
    message(by, `2026-11-20T10:0${minute}:00Z`, { parentMessageId: root.id })
  const replies = [
    reply('amir', 1),
    reply('mei', 2),
    message('jon', '2026-11-20T10:03:00Z'),
    reply('amir', 4),
  ]
  expect(outline([root, ...replies])).toEqual(['day', 'mei', `2 to ${root.id}`, 'jon', `1 to ${root.id}`])
  expect(outline(replies, undefined, true)).toEqual(['day', 'amir', 'mei', 'jon', 'amir'])
  expect(authorsOf(replies).map(({ id }) => id)).toEqual(['amir', 'mei', 'jon'])
})
