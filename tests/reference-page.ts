import type { Page } from 'playwright-core'

/** How long the main thread of a page has worked since its tab was opened, in milliseconds of its processor. */
export async function mainThreadMeter(page: Page): Promise<() => Promise<number>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return 1_000 * metrics.find(({ name }) => name === 'TaskDuration')!.value
  }
}

/**
 * Opens an operation of the reference page whose entry the side bar shows, such as `studio/POST/api/studio/assets`, without
 * the work that a click of Playwright makes for the page.
 */
export async function openOperation(page: Page, id: string): Promise<void> {
  const entry = `[data-sidebar-id="patio/tag/${id}"]`
  await page.evaluate(`document.querySelector('${entry} a, ${entry} button').click()`)
  await page.waitForFunction(`document.getElementById('patio/tag/${id}')?.querySelector('h3') != null`)
}
