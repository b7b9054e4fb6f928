import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

/** Runs a program that has a log, with a pipe as its standard output. */
function runWithLog(program: string) {
  const script = `
    const { openLog } = await import('${join(import.meta.dirname, 'log.ts')}')
    const log = openLog('info', 'test')
    ${program}`
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

test('all lines of a process that ends at once arrive, in their order', async () => {
  const child = runWithLog(`
    for (let n = 0; n < 5_000; n++) log.info({ n }, 'a line')
    process.exit(7)`)
  const [lines, exit] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(exit).toEqual([7, null])
  const numbers = lines
    .trim()
    .split('\n')
    .map(line => (JSON.parse(line) as { n: number }).n)
  expect(numbers).toEqual(Array.from({ length: 5_000 }, (_, n) => n))
})

test('a reader that is gone neither ends the process nor keeps it from ending', async () => {
  const child = runWithLog(`
    log.info('the first line')
    process.on('SIGTERM', () => {
      log.fatal('the end')
      process.exit(7)
    })
    setInterval(() => log.info('a line'), 1)
    setTimeout(() => process.kill(process.pid, 'SIGTERM'), 500)`)
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  child.stdout.destroy()
  expect(await exited).toEqual([7, null])
})
