import { execFileSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { childrenOf, endAll, isAlive, removeFolders, until } from '#tests/support/processes.ts'
import { openWorstDay } from '#tests/support/worst-day.ts'

afterAll(() => {
  endAll()
  removeFolders()
})

/** The process gets no more memory: its next allocation fails. */
function limitMemory(pid: number): void {
  execFileSync('prlimit', ['--pid', String(pid), '--data=1000000'])
}

test('processes that get no more memory end, and their successors work', async () => {
  const day = await openWorstDay()
  for (const name of ['worker', 'api'] as const) {
    const pid = childrenOf(day.patio)[name]
    day.watch.begin(`no memory for the ${name}`)
    limitMemory(pid)
    await until(`the ${name} has ended`, () => !isAlive(pid))
    await until('there is another one', () => childrenOf(day.patio)[name] !== pid)
    await day.isBack()
  }
  await day.verify('no memory')
  expect((await day.patio.stop()).code).toBe(0)
})
