import { expect, it } from 'vitest'
import type { Message } from '#contract/chat/shapes.ts'
import { notArrived, type PendingMessage } from './outbox.rules.ts'

const at = Date.parse('2026-11-20T10:00:00Z')
const pending = (content: string) => ({ key: content, content, at }) as PendingMessage
const message = (content: string, id = 'mei', createdAt = '2026-11-20T10:00:01Z') =>
  ({ content, createdAt, author: { kind: 'USER', id, displayName: id } }) as Message

it('hides a message that is still being sent once the log has it', () => {
  const [one, two] = [pending('one'), pending('two')] as const
  expect(notArrived([one, two], [message('one')], 'mei')).toEqual([two])
  expect(notArrived([one, one], [message('one')], 'mei')).toEqual([one])
})

it('keeps it beside the same words of others, and those from before', () => {
  const one = pending('one')
  expect(notArrived([one], [message('one', 'amir')], 'mei')).toEqual([one])
  expect(notArrived([one], [message('one', 'mei', '2026-11-20T09:00:00Z')], 'mei')).toEqual([one])
})
