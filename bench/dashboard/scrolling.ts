import fastify, { type FastifyInstance } from 'fastify'
import type { Browser } from 'playwright-core'
import { openLog } from '#platform/log.ts'
import { dashboard } from '#server/dashboard.ts'
import { view } from './product.ts'
import { settled } from './views.ts'

/** Milliseconds of each frame, and what the page holds afterwards. */
export type Scrolling = { frameMs: number[]; elements: number; heapMB: number }

const frames = 600
const pixels = 180

/** Serves the built book of the parts, whose grid has 10,000 rows. */
export async function serveBook(): Promise<{ url: string; app: FastifyInstance }> {
  const app = fastify()
  await app.register(
    dashboard({ isOn: true, isBuilding: false, hasBook: true, log: openLog('warn', 'book') }),
  )
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), app }
}

/** Scrolls the grid by 180 pixels in each frame for ten seconds at 60 frames per second, and back at its end. */
export async function scrollGrid(browser: Browser, url: string): Promise<Scrolling> {
  const page = await browser.newPage(view)
  const cdp = await page.context().newCDPSession(page)
  await page.goto(`${url}/book?part=grid&language=en&theme=light`)
  await page.locator('[data-row-key]').first().waitFor()
  await settled(page)
  const heapBytes = async () => {
    await cdp.send('HeapProfiler.collectGarbage')
    return (await cdp.send('Runtime.getHeapUsage')).usedSize
  }
  const before = await heapBytes()
  const frameMs = (await page.evaluate(`new Promise(done => {
    let scroller = document.querySelector('[data-row-key]')
    while (scroller.scrollHeight < 100_000 || getComputedStyle(scroller).overflowY === 'visible')
      scroller = scroller.parentElement
    const times = []
    let step = ${pixels}
    let last
    const frame = now => {
      if (last !== undefined) times.push(now - last)
      last = now
      if (times.length === ${frames}) return done(times)
      const former = scroller.scrollTop
      scroller.scrollTop += step
      if (scroller.scrollTop === former) step = -step
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })`)) as number[]
  const elements = (await page.evaluate('document.querySelectorAll("*").length')) as number
  const heapMB = ((await heapBytes()) - before) / 1_000_000
  await page.close()
  return { frameMs, elements, heapMB }
}
