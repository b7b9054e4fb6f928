import { expect, test } from 'vitest'
import { compareVersions } from '#server/studio/versions/compare.ts'
import { difference } from '#server/studio/versions/diff.ts'
import type { place } from '#tests/thread-work.ts'
import { Refusal } from './fail.ts'
import { inThread } from './threads.ts'

const module = new URL('../../tests/thread-work.ts', import.meta.url)
const run = (input: { ms: number; fault?: string }) => inThread<typeof place>(module, 'place', input)

test('work runs in another thread, and what it throws comes back', async () => {
  expect(await run({ ms: 0 })).toEqual({ isMainThread: false })
  await expect(run({ ms: 0, fault: 'broken' })).rejects.toThrow('broken')
})

test('work that finds too much waiting is refused, and the rest is done', async () => {
  const all = await Promise.allSettled(Array.from({ length: 100 }, () => run({ ms: 5 })))
  const refused = all.flatMap(one => (one.status === 'rejected' ? [one.reason as Refusal] : []))
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(40)
  for (const refusal of refused) {
    expect(refusal).toBeInstanceOf(Refusal)
    expect([refusal.code, refusal.extra.retryAfterSeconds]).toEqual(['UNAVAILABLE', 5])
  }
})

test('a long comparison gives there what it gives here', async () => {
  const version = (step: number) => ({
    version: '1.0.0',
    description: '',
    body_markdown: Array.from({ length: 9_000 }, (_, n) => `line ${n - (n % step)}`).join('\n'),
    frontmatter: { step },
    files: [],
  })
  const [from, to] = [version(7), version(500)]
  expect(await difference(from, to)).toEqual(compareVersions({ from, to }))
})
