import { expect, test } from 'vitest'
import { reacted } from './reaction.rules.ts'

test('a person has one reaction: the first one counts, another one moves it', () => {
  const none = { myReaction: null, thumbsUp: 3, thumbsDown: 1 }
  const up = { myReaction: 'POSITIVE' as const, thumbsUp: 4, thumbsDown: 1 }
  expect(reacted(none, 'POSITIVE')).toEqual(up)
  expect(reacted(up, 'POSITIVE')).toEqual(up)
  expect(reacted(up, 'NEGATIVE')).toEqual({ myReaction: 'NEGATIVE', thumbsUp: 3, thumbsDown: 2 })
})
