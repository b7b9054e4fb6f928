import { expect, test } from 'vitest'
import { compareVersions } from '#server/studio/versions/compare.ts'
import { difference } from '#server/studio/versions/diff.ts'
import type { place } from '#tests/support/thread-work.ts'
import { Refusal } from './fail.ts'
import { inThread } from './threads.ts'

const module = new URL('../../tests/support/thread-work.ts', import.meta.url)
const run = (input: { ms: number; fault?: string }) => inThread<typeof place>(module, 'place', input)

test('work runs in another thread, and its errors are thrown', async () => {
  expect(await run({ ms: 0 })).toEqual({ isMainThread: false })
  await expect(run({ ms: 0, fault: 'broken' })).rejects.toThrow('broken')
})

test('work beyond the queue is refused, and the rest is done', async () => {
  const all = await Promise.allSettled(Array.from({ length: 100 }, () => run({ ms: 5 })))
  const refused = all.flatMap(one => (one.status === 'rejected' ? [one.reason as Refusal] : []))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(40)
  for (const refusal of refused) {
    expect(refusal).toBeInstanceOf(Refusal)
    expect([refusal.code, refusal.extra.retryAfterSeconds]).toEqual(['UNAVAILABLE', 5])
  }
})

test('a long comparison runs in a thread with the same result, and a short one runs here', async () => {
  const version = (lines: number, step: number) => ({
    version: '1.0.0',
    description: '',
    body_markdown: Array.from({ length: lines }, (_, n) => `line ${n - (n % step)}`).join('\n'),
    frontmatter: { step },
    files: [],
  })
  const long = { from: version(9_000, 7), to: version(9_000, 500) }
  const short = { from: version(90, 7), to: version(90, 50) }
  const others = Promise.allSettled(Array.from({ length: 100 }, () => run({ ms: 5 })))
  await expect(difference(long.from, long.to)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(await difference(short.from, short.to)).toEqual(compareVersions(short))
  await others
  expect(await difference(long.from, long.to)).toEqual(compareVersions(long))
})
