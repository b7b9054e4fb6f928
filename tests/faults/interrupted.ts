import { expect } from 'vitest'
import { dataFolder, processesOn, run, start } from '#tests/processes.ts'
import { clientOf, readDemo } from './demo.ts'

/** Presses Ctrl-C in a first start once it has said something. No process may be left, and the next start succeeds. */
export async function interruptFirstStart(moment: RegExp): Promise<void> {
  const dataDir = dataFolder()
  const first = run('up', { DATA_DIR: dataDir })
  await first.said(moment)
  process.kill(-first.pid, 'SIGINT')
  expect((await first.exited).code).toBe(0)
  expect(processesOn(dataDir)).toEqual([])
  const next = await start('up', { DATA_DIR: dataDir })
  await clientOf(next.url, readDemo(dataDir).organizations[0]!.people[0]!)
  expect((await next.stop()).code).toBe(0)
}
