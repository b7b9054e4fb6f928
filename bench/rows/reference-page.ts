import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/ports.ts'
import { openBrowser } from '#tests/support/browser.ts'
import { mainThreadMeter, openArea, openOperation, operationsByArea } from '#tests/support/reference-page.ts'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { start } from '../processes.ts'
import type { Figure } from '../report.ts'
import { median, short, spread } from '../statistics.ts'

/** Resolves when the main thread has been idle for a while. */
async function atRest(spent: () => Promise<number>): Promise<void> {
  let last = await spent()
  for (let looks = 0; looks < 3; ) {
    await sleep(200)
    const now = await spent()
    looks = now - last < 15 ? looks + 1 : 0
    last = now
  }
}

/**
 * The reference page in Chromium at 1280 pixels: the computing time of its main thread until a person can use
 * it.
 */
export async function referencePage(environment: BenchEnvironment): Promise<Figure[]> {
  const port = String(await freePort('127.0.0.1'))
  const address = `http://localhost:${port}`
  const api = start('server/main.mjs', ['api'], { ...environment.env, PORT: port, PUBLIC_URL: address })
  await api.ready
  // the script is compressed on the first request
  await (await fetch(`${address}/docs/scalar.js`)).arrayBuffer()
  const browser = await openBrowser()
  const views: number[] = []
  const opened: { time: number; place: number; placeInArea: number }[] = []
  try {
    for (let round = 0; round < environment.size.rounds; round++) {
      const tab = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
      const page = await tab.newPage()
      const spent = await mainThreadMeter(page)
      await page.goto(`${address}/docs`)
      await page.locator('[data-sidebar-id="patio/tag/webhooks"]').waitFor()
      views.push(await spent())
      let place = 0
      for (const [area, operations] of Object.entries(operationsByArea)) {
        await openArea(page, area)
        for (const [at, operation] of operations.entries()) {
          await atRest(spent)
          const before = await spent()
          await openOperation(page, operation)
          place += 1
          opened.push({ time: (await spent()) - before, place, placeInArea: at + 1 })
        }
      }
      await tab.close()
    }
  } finally {
    await browser.close()
    await api.stop()
  }
  return [
    {
      name: 'reference-page',
      value: spread(views.map(ms => ms / bounds.referencePageMs)),
      raw: [`first view ${short(median(views))} ms of the main thread`],
    },
    operationFigure(
      'reference-operation-first',
      opened.filter(({ placeInArea }) => placeInArea === 1),
    ),
    operationFigure(
      'reference-operation',
      opened.filter(({ place }) => place >= 2 && place <= 4),
    ),
    operationFigure(
      'reference-operation-tenth',
      opened.filter(({ place }) => place === 10),
    ),
  ]
}

function operationFigure(name: string, opened: readonly { time: number }[]): Figure {
  const times = opened.map(({ time }) => time)
  return {
    name,
    value: spread(times.map(ms => ms / bounds.referenceOperationMs)),
    raw: [`an operation ${short(median(times))} ms of the main thread`],
  }
}
