import type { BrowserContext, CDPSession, Page, Response } from 'playwright-core'

/** A screen and the element that shows that its rows are there. */
export type Screen = { url: string; rows: string }
/** The speed of the processor and the network, and the encoding that the browser accepts. */
export type Conditions = { processorRate: 1 | 4; isFar?: boolean; encoding?: 'gzip' | 'br' }
/** Milliseconds from the start of the navigation, and the files that were loaded until the rows were visible. */
export type MeasuredView = { paintedMs: number; rowsMs: number; files: ServedFile[] }
export type ServedFile = { kind: 'script' | 'style' | 'font'; bytes: number }

const far = { offline: false, latency: 40, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 }

/** Opens a tab whose processor and network are as slow as wanted. */
export async function openTab(
  context: BrowserContext,
  { processorRate, isFar = false, encoding }: Conditions,
): Promise<{ page: Page; cdp: CDPSession }> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: processorRate })
  if (isFar) {
    await cdp.send('Network.enable')
    await cdp.send('Network.emulateNetworkConditions', far)
  }
  if (encoding) await page.setExtraHTTPHeaders({ 'accept-encoding': encoding })
  return { page, cdp }
}

/** Opens a screen in a new tab until its rows are visible and its largest element is painted. */
export async function viewScreen(
  context: BrowserContext,
  { url, rows }: Screen,
  conditions: Conditions,
): Promise<MeasuredView> {
  const { page } = await openTab(context, conditions)
  const responses: Response[] = []
  page.on('response', response => responses.push(response))
  await page.addInitScript({ content: observer(rows) })
  await page.goto(url)
  await page.locator(rows).first().waitFor()
  const untilRows = [...responses]
  await settled(page)
  const { paintedMs, rowsMs } = (await page.evaluate('globalThis.observed')) as MeasuredView
  // a face that is shown is loaded when its text is laid out, which may be after the rows
  const files = filesOf([...untilRows, ...responses.slice(untilRows.length).filter(isFont)], conditions)
  await page.close()
  return { paintedMs, rowsMs, files }
}

/** Resolves when the fonts are there and a moment has passed in which the page could paint. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate('document.fonts.ready.then(() => new Promise(done => setTimeout(done, 300)))')
}

/** Runs in the page before its scripts: notes the largest paint, and the frame that shows the rows. */
function observer(rows: string): string {
  return `
    globalThis.observed = { paintedMs: 0, rowsMs: 0 }
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) observed.paintedMs = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    const look = () => {
      const row = document.querySelector(${JSON.stringify(rows)})
      if (!row || row.getClientRects().length === 0) return requestAnimationFrame(look)
      // a task after the frame, which is painted then
      setTimeout(() => (observed.rowsMs = performance.now()))
    }
    requestAnimationFrame(look)`
}

function filesOf(responses: readonly Response[], { encoding }: Conditions): ServedFile[] {
  return responses.flatMap(response => {
    const [, ending = ''] = /\/assets\/.*\.(js|css|woff2)$/.exec(response.url()) ?? []
    const kind = ({ js: 'script', css: 'style', woff2: 'font' } as const)[ending]
    if (!kind) return []
    const headers = response.headers()
    if (encoding && kind !== 'font' && headers['content-encoding'] !== encoding)
      throw new Error(`${response.url()} is not compressed with ${encoding}`)
    return [{ kind, bytes: Number(headers['content-length']) }]
  })
}

function isFont(response: Response): boolean {
  return response.url().endsWith('.woff2')
}

/** The sum of the files of a kind in units of 1,000 bytes. */
export function kilobytes(files: readonly ServedFile[], kind: ServedFile['kind']): number {
  return files.filter(file => file.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0) / 1_000
}
