import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { itemAt } from '#tests/support/elements.ts'
import { dataFolder, endAll, removeFolders, run, until, usedDataFolder } from '#tests/support/processes.ts'
import { canMount, fillDisk, folderOf, freeDisk, onSmallDisk } from '#tests/support/small-disk.ts'
import { lasts, openWorstDay } from '#tests/support/worst-day.ts'

const diskMib = 400
/** Enough for rows, and not for another WAL segment of 16 MB. */
const tooSmallForWalMib = 8

afterAll(() => {
  endAll()
  removeFolders()
})

async function openDayOnSmallDisk() {
  const dataDir = dataFolder()
  const via = onSmallDisk(dataDir, diskMib, await usedDataFolder())
  return openWorstDay({ dataDir, via, seenAs: patio => folderOf(patio, dataDir) })
}

test.skipIf(!canMount)('the disk of the data folder is full: reads are served, writes get 503', async () => {
  const day = await openDayOnSmallDisk()
  day.watch.begin('full')
  const filler = setInterval(() => fillDisk(day.dataDir), 100)
  await lasts(30_000)
  clearInterval(filler)
  expect(day.watch.failures('full', 'healthz')).toEqual([])
  expect(day.watch.failures('full', 'read')).toEqual([])
  expect(day.watch.statuses('full', 'write')).toContain(503)
  freeDisk(day.dataDir)
  day.watch.begin('space again')
  await day.isBack()
  await day.verify('disk full')
  expect((await day.patio.stop()).code).toBe(0)
})

test.skipIf(!canMount)(
  'no space for the write-ahead log: 503 until there is space, then it recovers',
  async () => {
    const day = await openDayOnSmallDisk()
    const log = () => readFileSync(join(day.dataDir, 'postgres.log'), 'utf8')
    const filler = setInterval(() => fillDisk(day.dataDir, tooSmallForWalMib), 100)
    await until('PostgreSQL ends', () => log().includes('PANIC'), 300_000)
    day.watch.begin('no write-ahead log')
    await lasts(30_000)
    expect(day.watch.failures('no write-ahead log', 'healthz')).toEqual([])
    expect(day.watch.statuses('no write-ahead log', 'write').filter(status => status !== 201)).toContain(503)
    clearInterval(filler)
    freeDisk(day.dataDir)
    day.watch.begin('space again')
    await day.isBack()
    await day.verify('no space for the write-ahead log')
    expect((await day.patio.stop()).code).toBe(0)
  },
)

test.skipIf(!canMount)('a start on a full disk ends with the reason, or works', async () => {
  const dataDir = dataFolder()
  const via = onSmallDisk(dataDir, diskMib, await usedDataFolder())
  via[3] = itemAt(via, 3).replace('exec', `dd if=/dev/zero of='${dataDir}/filler' bs=64k 2>/dev/null; exec`)
  const patio = run('up', { DATA_DIR: dataDir }, { via })
  const ended = await Promise.race([
    patio.exited,
    patio.waitForOutput(/^Patio is ready/m).then(() => undefined),
  ])
  process.stdout.write(
    `a start on a full disk: ${ended ? `exit ${ended.code}: ${ended.output}` : 'it runs'}\n`,
  )
  if (ended) {
    expect(ended.code).toBe(1)
    expect(ended.output).toMatch(/space|full/i)
  } else await patio.stop()
})
