import type { Page } from 'playwright-core'
import { defined, findIn } from './elements.ts'

/** The processor time of a page's main thread since its tab was opened, in milliseconds. */
export async function mainThreadMeter(page: Page): Promise<() => Promise<number>> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return 1_000 * findIn(metrics, ({ name }) => name === 'TaskDuration').value
  }
}

/**
 * Ten operations of three areas in the order in which the test and the bench open them, with the ids of the
 * side bar.
 */
export const operationsByArea: Record<string, string[]> = {
  studio: [
    'studio/POST/api/studio/assets',
    'studio/POST/api/studio/assets/{id}/archive',
    'studio/POST/api/studio/assets/{id}/duplicate',
    'studio/POST/api/studio/assets/{id}/publish',
  ],
  billing: [
    'billing/POST/api/billing/invoices',
    'billing/GET/api/billing/invoices/{id}',
    'billing/POST/api/billing/invoices/{id}/issue',
  ],
  crm: ['crm/POST/api/crm/contacts', 'crm/GET/api/crm/contacts/{id}', 'crm/PATCH/api/crm/contacts/{id}'],
}

/** Opens an area in the side bar, so that it shows its operations. */
export async function openArea(page: Page, name: string): Promise<void> {
  await page.locator(`[data-sidebar-id="patio/tag/${name}"]`).getByRole('button').first().click()
  await page.locator(`[data-sidebar-id="patio/tag/${defined(operationsByArea[name])[0]}"]`).waitFor()
}

/**
 * Opens an operation whose entry the side bar shows, such as `studio/POST/api/studio/assets`, without the
 * work that a click of Playwright causes.
 */
export async function openOperation(page: Page, id: string): Promise<void> {
  const entry = `[data-sidebar-id="patio/tag/${id}"]`
  await page.evaluate(`document.querySelector('${entry} a, ${entry} button').click()`)
  await page.waitForFunction(`document.getElementById('patio/tag/${id}')?.querySelector('h3') != null`)
}
