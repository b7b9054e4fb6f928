import type { BrowserContext, Page } from 'playwright-core'
import { openTab, type Screen, settled } from './views.ts'

/** Interactions that are shorter than the shortest that browsers report (Event Timing). */
const unreportedMs = 8

const observer = `
  globalThis.interactions = new Map()
  new PerformanceObserver(list => {
    for (const { interactionId, duration, name } of list.getEntries())
      if (interactionId && duration > (interactions.get(interactionId)?.ms ?? 0))
        interactions.set(interactionId, { ms: duration, name })
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 })`

/**
 * The time from each key or click to the next paint with a processor 4 times as slow: opens the palette, moves
 * in the list, opens a dialog, types into its form, changes the theme, and clicks a row.
 */
export async function measureInteractions(context: BrowserContext, screen: Screen): Promise<number[]> {
  const { page } = await openTab(context, { processorRate: 4 })
  await page.addInitScript({ content: observer })
  await page.goto(screen.url)
  await page.locator(screen.rows).first().waitFor()
  await settled(page)
  await findInPalette(page, 'invit')
  // the first empties the field
  await press(page, 'Escape', 2)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.locator(screen.rows).nth(2).click()
  await press(page, 'j', 15)
  await press(page, 'k', 5)
  await press(page, 'c', 1)
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await dialog.getByRole('textbox').first().click()
  await type(page, 'ana@example.com, luis@example.com, eva@example.com')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  for (const theme of ['dark', 'light']) {
    await findInPalette(page, `theme: ${theme}`)
    await press(page, 'Enter', 1)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await nextFrame(page)
  }
  await page.getByRole('searchbox').first().click()
  await type(page, 'member 7')
  await nextFrame(page)
  return takeTimes(page)
}

/** The time from each key to the next paint in the editor of the longest text, with a processor 4 times as slow. */
export async function measureKeys(context: BrowserContext, url: string): Promise<number[]> {
  const { page } = await openTab(context, { processorRate: 4 })
  await page.addInitScript({ content: observer })
  await page.goto(url)
  const editor = page.locator('.cm-content')
  await editor.click()
  await settled(page)
  await page.evaluate('interactions.clear(); globalThis.countBefore = performance.interactionCount')
  await type(page, 'a sentence in the middle of the rest, with **emphasis** and more')
  await press(page, 'Enter', 3)
  await press(page, 'Backspace', 10)
  return takeTimes(page)
}

/** The times of all interactions of the page, which is closed. */
async function takeTimes(page: Page): Promise<number[]> {
  // entries are handed over in a task of their own
  await page.waitForTimeout(200)
  const { reported, count } = (await page.evaluate(
    `({ reported: [...interactions.values()].map(({ ms }) => ms),
        count: (performance.interactionCount ?? 0) - (globalThis.countBefore ?? 0) })`,
  )) as { reported: number[]; count: number }
  await page.close()
  const short = Array.from({ length: Math.max(0, count - reported.length) }, () => unreportedMs)
  return reported.concat(short)
}

async function findInPalette(page: Page, words: string): Promise<void> {
  await press(page, 'Control+k', 1)
  await page.getByRole('dialog').getByRole('searchbox').waitFor()
  await type(page, words)
  await press(page, 'ArrowDown', 1)
  await press(page, 'ArrowUp', 1)
}

async function type(page: Page, text: string): Promise<void> {
  for (const letter of text) await press(page, letter === ' ' ? 'Space' : letter, 1)
}

async function press(page: Page, key: string, times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    await page.keyboard.press(key)
    await nextFrame(page)
  }
}

function nextFrame(page: Page): Promise<unknown> {
  return page.evaluate('new Promise(done => requestAnimationFrame(() => setTimeout(done)))')
}
