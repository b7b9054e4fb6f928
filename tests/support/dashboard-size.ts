import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'

const dist = join(import.meta.dirname, '../../dashboard/dist')

/** The bytes of the built files that a page has asked for, as gzip; fonts are compressed already. */
export type DashboardSize = {
  script: number
  scriptBrotli: number
  scriptFiles: number
  style: number
  font: number
}

/**
 * Counts what a cold page loads of the dashboard until it is usable: opens `url`, waits until an element matches
 * `visible` (for a list: its first row), and adds up every script, style sheet and font that was asked for until
 * then, by `index.html`, by the routes and by hints to preload. Later requests do not count.
 * The page must be signed in and must not have loaded anything of the dashboard in its context before, because
 * the browser asks only once for what it keeps. The budgets are in bench/claims.ts.
 */
export async function sizeUntilVisible(page: Page, url: string, visible: string): Promise<DashboardSize> {
  const names = new Set<string>()
  const note = (request: Request) => {
    const { pathname } = new URL(request.url())
    if (/^\/assets\/.*\.(js|css|woff2)$/.test(pathname)) names.add(pathname)
  }
  page.on('request', note)
  try {
    await page.goto(url, { waitUntil: 'commit' })
    await page.locator(visible).first().waitFor()
  } finally {
    page.off('request', note)
  }
  const files = (ending: string) => [...names].filter(name => name.endsWith(ending))
  const sum = (ending: string, suffix = '') =>
    files(ending).reduce((total, name) => total + statSync(join(dist, `${name}${suffix}`)).size, 0)
  return {
    script: sum('.js', '.gz'),
    scriptBrotli: sum('.js', '.br'),
    scriptFiles: files('.js').length,
    style: sum('.css', '.gz'),
    font: sum('.woff2'),
  }
}
