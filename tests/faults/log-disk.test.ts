import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { dataFolder, removeFolders, until } from '#tests/support/processes.ts'
import { canMount, fillDisk, folderOf, freeDisk, onSmallDisk } from '#tests/support/small-disk.ts'

afterAll(removeFolders)

const program = `
  const { openLog } = await import('${join(import.meta.dirname, '../../server/platform/log.ts')}')
  const log = openLog('info', 'test')
  setInterval(() => log.info('a line'), 10)
  process.on('SIGTERM', () => {
    log.fatal('the end')
    process.exit(7)
  })`

test.skipIf(!canMount)('a log on a full disk neither ends the process nor keeps it from ending', async () => {
  const folder = dataFolder()
  const toFile = ['sh', '-c', `exec "$@" > '${folder}/log'`, 'sh']
  const node = [process.execPath, '--input-type=module', '--eval', program]
  const [first, ...rest] = [onSmallDisk(folder, 1), toFile, node].flat() as [string, ...string[]]
  const child = spawn(first, rest, { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  const inside = folderOf(child as { pid: number }, folder)
  const size = () => statSync(join(inside, 'log'), { throwIfNoEntry: false })?.size ?? 0
  try {
    await until('lines are written', () => size() > 0)
    const fill = async () => {
      fillDisk(inside)
      const sizeBefore = size()
      await until('the rest of its block is used, too', () => size() % 4096 === 0)
      expect(size() - sizeBefore).toBeLessThan(4096)
    }
    await fill()
    freeDisk(inside)
    const sizeWhenFreed = size()
    await until('lines are written again', () => size() > sizeWhenFreed)
    await fill()
    child.kill('SIGTERM')
    expect(await exited).toEqual([7, null])
  } finally {
    child.kill('SIGKILL')
  }
})

const full = '/dev/full'
test.skipIf(!existsSync(full))(
  'the last line of a process that meets a full disk does not keep it from ending',
  async () => {
    const lines = `
    const { openLog } = await import('${join(import.meta.dirname, '../../server/platform/log.ts')}')
    const log = openLog('info', 'test')
    log.info('a line that is being written')
    log.fatal('the end')
    process.exit(7)`
    const output = openSync(full, 'w')
    const child = spawn(process.execPath, ['--input-type=module', '--eval', lines], {
      stdio: ['ignore', output, 'inherit'],
    })
    closeSync(output)
    try {
      expect(await once(child, 'exit')).toEqual([7, null])
    } finally {
      child.kill('SIGKILL')
    }
  },
)
