import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'

const dist = join(import.meta.dirname, '../../dashboard/dist')

/** The files of the build that a page has asked for, with their bytes as gzip; fonts are compressed already. */
export type DashboardSize = {
  script: number
  style: number
  font: number
  files: readonly { name: string; bytes: number }[]
}

/**
 * Counts what a cold page loads of the dashboard until it is usable: opens `url`, waits until an element matches
 * `visible` (for a list: its first row), and adds up every script, style sheet and font that was asked for until
 * then, by `index.html`, by the routes and by hints to preload. Later requests do not count.
 * The page must be signed in and must not have loaded anything of the dashboard in its context before, because
 * the browser asks only once for what it keeps. The budgets are in docs/spec/dashboard.md.
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
  const files = [...names].map(name => ({ name, bytes: bytesOf(name) }))
  const sum = (ending: string) =>
    files.filter(({ name }) => name.endsWith(ending)).reduce((total, { bytes }) => total + bytes, 0)
  return { script: sum('.js'), style: sum('.css'), font: sum('.woff2'), files }
}

function bytesOf(name: string): number {
  const path = join(dist, name)
  return name.endsWith('.woff2') ? statSync(path).size : readFileSync(`${path}.gz`).length
}
