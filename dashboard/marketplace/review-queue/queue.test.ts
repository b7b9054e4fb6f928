import { expect, it } from 'vitest'
import type { SubmissionDetail } from '#contract/marketplace/review-queue.ts'
import { placeFindings } from '../release/finding.rules.ts'
import { dayAfter, endOfDay, nextFinding, partsChangedSince } from './queue.rules.ts'
import { queueSearchOf } from './queue-search.ts'

const finding = { severity: 'warn', code: 'JWT', path: 'a.sh', line: 3, message: 'A token.' } as const

it('goes from finding to finding, over those without a place, and around', () => {
  const findings = placeFindings([finding, { ...finding, path: null, line: null }, { ...finding, line: 9 }])
  expect(nextFinding(findings, undefined)?.id).toBe('1')
  expect(nextFinding(findings, '1')?.id).toBe('3')
  expect(nextFinding(findings, '3')?.id).toBe('1')
  expect(nextFinding([], undefined)).toBeUndefined()
})

it('names what differs from the release that the operator read', () => {
  const read = {
    bodyMarkdown: 'One',
    description: 'Same',
    frontmatter: {},
    frontmatterText: null,
    releaseNotes: 'First',
    files: [
      { path: 'a', sha256: '1' },
      { path: 'b', sha256: '2' },
    ],
  } as unknown as SubmissionDetail
  const now = {
    ...read,
    bodyMarkdown: 'Two',
    files: [{ path: 'a', sha256: '9' }],
  } as unknown as SubmissionDetail
  expect(partsChangedSince(read, now)).toEqual(['body', 'file:a', 'file:b'])
  expect(partsChangedSince(read, { ...read })).toEqual([])
})

it('knows a state of the queue, and days', () => {
  expect(queueSearchOf({ status: 'REJECTED' })).toEqual({ status: 'REJECTED' })
  expect(queueSearchOf({ status: 'WON' })).toEqual({})
  expect(new Date(endOfDay('2026-12-31')).getDate()).toBe(31)
  expect(dayAfter(new Date(2026, 11, 30, 12).getTime(), 3)).toBe('2027-01-02')
})
