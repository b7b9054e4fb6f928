import { expect, it } from 'vitest'
import type { Message } from '#contract/chat/shapes.ts'
import {
  covers,
  emptyWindow,
  lastSeqOf,
  mostMessages,
  withMessage,
  withNewer,
  withOlder,
  withoutMessage,
} from './message-window.rules.ts'

const message = (seq: number, content = `${seq}`) => ({ id: `m${seq}`, seq, content }) as Message
const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => message(from + at))
const seqsOf = ({ items }: { items: readonly Message[] }) => items.map(({ seq }) => seq)

it('joins pages of both directions in the order of the numbers, each message once', () => {
  const newest = withOlder({ ...emptyWindow, hasNewer: false }, { items: run(8, 9).reverse(), hasMore: true })
  expect(seqsOf(newest)).toEqual([8, 9])
  const more = withOlder(newest, { items: run(6, 8), hasMore: false })
  expect([seqsOf(more), more.hasOlder, more.hasNewer]).toEqual([[6, 7, 8, 9], false, false])
  const grown = withNewer(more, { items: run(9, 11).reverse(), hasMore: false })
  expect([seqsOf(grown), lastSeqOf(grown)]).toEqual([[6, 7, 8, 9, 10, 11], 11])
})

it('holds so many messages at most, and knows at which end it let some go', () => {
  const full = { items: run(101, 100 + mostMessages), hasOlder: true, hasNewer: false }
  const older = withOlder(full, { items: run(51, 100), hasMore: true })
  expect([older.items.length, older.items[0]?.seq, older.hasNewer]).toEqual([mostMessages, 51, true])
  const newer = withNewer({ ...full, hasOlder: false }, { items: run(400, 449), hasMore: false })
  expect([newer.items.length, lastSeqOf(newer), newer.hasOlder]).toEqual([mostMessages, 449, true])
})

it('takes a changed message only where it holds its neighbours', () => {
  const part = { items: [message(5), message(7)], hasOlder: true, hasNewer: true }
  expect(seqsOf(withMessage(part, message(6)))).toEqual([5, 6, 7])
  expect(withMessage(part, message(7, 'edited')).items[1]?.content).toBe('edited')
  expect(withMessage(part, message(4))).toBe(part)
  expect(withMessage(part, message(8))).toBe(part)
  expect(covers({ ...part, hasNewer: false }, 8)).toBe(true)
  expect(covers({ ...part, hasOlder: false }, 1)).toBe(true)
  expect(seqsOf(withoutMessage(part, 'm5'))).toEqual([7])
  expect(withoutMessage(part, 'm6')).toBe(part)
})
