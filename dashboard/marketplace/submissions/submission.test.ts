import { expect, it } from 'vitest'
import { entryStepsOf, nextSubmissionOf, tagsOf } from './submission.rules.ts'

const waiting = (status: 'PENDING' | 'UNDER_REVIEW') => ({ version: '1.0.1', status, submittedAt: '' })

it('says what can be submitted next (ENT-10 to ENT-13)', () => {
  expect(nextSubmissionOf({ status: 'REJECTED' })).toBe('again')
  expect(nextSubmissionOf({ status: 'ARCHIVED' })).toBe('again')
  expect(nextSubmissionOf({ status: 'PENDING' })).toBe('waits')
  expect(nextSubmissionOf({ status: 'APPROVED', pendingRelease: null })).toBe('update')
  expect(nextSubmissionOf({ status: 'APPROVED', pendingRelease: waiting('PENDING') })).toBe('update')
  expect(nextSubmissionOf({ status: 'APPROVED', pendingRelease: waiting('UNDER_REVIEW') })).toBe('waits')
})

it('shows the way of an entry: at most one step is next', () => {
  const text = { stepSubmitted: 's', stepReview: 'r', stepListed: 'l', stepRejected: 'x', stepWithdrawn: 'w' }
  const ways = (['PENDING', 'UNDER_REVIEW', 'APPROVED', 'REJECTED', 'ARCHIVED'] as const).map(status =>
    entryStepsOf(status, text)
      .map(({ title, state }) => `${title}:${state}`)
      .join(' '),
  )
  expect(ways).toEqual([
    's:next r:later l:later',
    's:done r:next l:later',
    's:done r:done l:done',
    's:done r:done x:next',
    's:done w:next',
  ])
})

it('reads tags between commas, each once', () => {
  expect(tagsOf(' legal, contracts,,legal ')).toEqual(['legal', 'contracts'])
  expect(tagsOf('')).toEqual([])
})
