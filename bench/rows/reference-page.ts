import { setTimeout as sleep } from 'node:timers/promises'
import { openBrowser } from '#tests/browser.ts'
import { mainThreadMeter, openOperation } from '#tests/reference-page.ts'
import { bounds } from '../claims.ts'
import { freePort } from '../nchan.ts'
import { start } from '../processes.ts'
import type { Figure } from '../report.ts'
import type { Stage } from '../stage.ts'
import { median, short, spread } from '../statistics.ts'

/** Opened one after the other; the first of an area is not counted, because the area is opened with it. */
const operations = ['', '/{id}/archive', '/{id}/duplicate', '/{id}/publish'].map(
  action => `studio/POST/api/studio/assets${action}`,
)

/** Resolves when the main thread has had next to nothing to do for a while: a person reads what it shows. */
async function atRest(spent: () => Promise<number>): Promise<void> {
  let last = await spent()
  for (let looks = 0; looks < 3; ) {
    await sleep(200)
    const now = await spent()
    looks = now - last < 15 ? looks + 1 : 0
    last = now
  }
}

/** The reference page in Chromium at 1280 pixels: what its main thread computes until a person can use it. */
export async function referencePage(stage: Stage): Promise<Figure[]> {
  const port = String(await freePort())
  const address = `http://localhost:${port}`
  const api = start('server/main.mjs', ['api'], { ...stage.env, PORT: port, PUBLIC_URL: address })
  await api.ready
  // the script is compressed at the first request
  await (await fetch(`${address}/docs/scalar.js`)).arrayBuffer()
  const browser = await openBrowser()
  const views: number[] = []
  const opened: number[] = []
  try {
    for (let round = 0; round < stage.size.rounds; round++) {
      const tab = await browser.newContext({ viewport: { width: 1_280, height: 800 } })
      const page = await tab.newPage()
      const spent = await mainThreadMeter(page)
      await page.goto(`${address}/docs`)
      await page.locator('[data-sidebar-id="patio/tag/webhooks"]').waitFor()
      views.push(await spent())
      await page.locator('[data-sidebar-id="patio/tag/studio"]').getByRole('button').first().click()
      for (const [at, operation] of operations.entries()) {
        await page.locator(`[data-sidebar-id="patio/tag/${operation}"]`).waitFor()
        await atRest(spent)
        const before = await spent()
        await openOperation(page, operation)
        if (at > 0) opened.push((await spent()) - before)
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
    {
      name: 'reference-operation',
      value: spread(opened.map(ms => ms / bounds.referenceOperationMs)),
      raw: [`an operation ${short(median(opened))} ms of the main thread`],
    },
  ]
}
