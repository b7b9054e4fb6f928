import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openProfile } from '#tests/support/browser.ts'
import { crowd } from '#tests/support/crowd.ts'
import { axeFindings } from '#tests/support/dashboard.ts'
import { defined } from '#tests/support/elements.ts'
import { sampleOf } from '#tests/support/sample.ts'
import { smallControls } from '#tests/support/small-controls.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startTestServer({ dashboard: 'on', hasDashboardBook: true }, { hasWorker: false })
  browser = await openBrowser()
})
afterAll(() => Promise.all([server.close(), browser?.close()]))

type BookOptions = {
  theme?: string
  language?: string
  part?: string
  width?: number
  hasForcedColors?: boolean
  hasTouch?: boolean
}

/** Opens the book. Errors and breaches of the policy are collected in `problems`. */
async function openBook({
  theme = 'light',
  language = 'en',
  part,
  width = 1440,
  hasForcedColors = false,
  hasTouch = false,
}: BookOptions = {}) {
  const profile = await openProfile(browser, {
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    hasTouch,
    isMobile: hasTouch,
    forcedColors: hasForcedColors ? 'active' : 'none',
  })
  const page = await profile.newPage()
  const problems: string[] = []
  page.on('console', message => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', error => problems.push(error.message))
  const query = new URLSearchParams({ theme, language, ...(part && { part }) })
  await page.goto(`${server.url}/book?${query}`)
  await page.locator('main h2').last().waitFor()
  if (part === undefined) await page.locator('#markdown table').waitFor()
  return { page, problems }
}

function focusedText(page: Page): Promise<unknown> {
  return page.evaluate('document.activeElement.textContent')
}

test('axe finds nothing in any part in both themes and languages, the policy holds, and fingers find the controls (DSH-3, DSH-13)', async () => {
  const views = [
    { theme: 'light', language: 'es' },
    { theme: 'dark', language: 'en' },
    { theme: 'dark', language: 'es', width: 390 },
    { theme: 'light', language: 'en', width: 390 },
    { theme: 'light', language: 'es', width: 320 },
  ]
  await Promise.all(
    sampleOf(views, { shares: 2, turn: 0 }).map(async options => {
      const { page, problems } = await openBook(options)
      expect(await axeFindings(page), JSON.stringify(options)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.width ?? 1440)
      if (options.width === 390) expect(await smallControls(page)).toEqual([])
      expect(problems).toEqual([])
      await page.close()
    }),
  )
})

test('with forced colours, the background shows what is current or selected (DSH-13)', async () => {
  const { page } = await openBook({ hasForcedColors: true })
  const background = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
  for (const [selected, other] of [
    ['nav a[aria-current]', 'nav a:not([aria-current])'],
    ['[role=tab][aria-selected=true]', '[role=tab][aria-selected=false]'],
    [
      '[role=treegrid] [role=row]:has([aria-current])',
      '[role=treegrid] [role=row]:not(:has([aria-current]))',
    ],
    ['label[data-selected] > [aria-hidden]', 'label:not([data-selected]) > [aria-hidden]'],
    ['[role=grid] input:checked', '[role=grid] input:not(:checked)'],
  ] as const)
    expect(await background(selected), selected).not.toBe(await background(other))
  await page.close()
})

test('the rows of a list are as far apart as the density says, also when it changes', async () => {
  const { page, problems } = await openBook({ part: 'grid' })
  const topOf = async (index: number) =>
    defined(await page.locator(`[data-index="${index}"]`).first().boundingBox()).y
  for (const [density, height] of [
    ['usual', 36],
    ['roomy', 44],
    ['compact', 32],
  ] as const) {
    await page.evaluate(`document.documentElement.dataset.density = '${density}'`)
    await expect.poll(async () => (await topOf(10)) - (await topOf(0))).toBe(10 * height)
  }
  expect(problems).toEqual([])
  await page.close()
})

test('a grid of 10,000 rows works with the keyboard alone', async () => {
  const { page, problems } = await openBook({ part: 'grid' })
  const grid = page.getByRole('grid').first()
  const focused = () => page.evaluate('document.activeElement.dataset.rowKey')
  expect(await grid.getAttribute('aria-rowcount')).toBe('-1')
  expect(await grid.locator('[data-row-key]').count()).toBeLessThan(60)
  for (const key of ['j', 'j', 'ArrowDown', 'k']) await page.keyboard.press(key)
  expect(await focused()).toBe('lead-1')
  await page.keyboard.press('Enter')
  expect(await grid.locator('[aria-current="true"]').getAttribute('data-row-key')).toBe('lead-1')
  await page.keyboard.press('End')
  await expect.poll(focused).toBe('lead-9999')
  await page.keyboard.press('Home')
  await expect.poll(focused).toBe('lead-0')
  // lead-1 and lead-3 are selected at first
  await page.keyboard.press('x')
  for (const key of ['j', 'j', 'Shift+X']) await page.keyboard.press(key)
  await expect.poll(() => grid.locator('[aria-selected="true"]').count()).toBe(4)
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem').first().waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('lead-2')
  await page.keyboard.press('o')
  await expect.poll(() => new URL(page.url()).hash).toBe('#lead-2')
  expect(problems).toEqual([])
  await page.close()
})

test('on a phone, a grid sorts by a menu and selects all rows, also with the keyboard', async () => {
  const { page, problems } = await openBook({ part: 'grid', width: 390 })
  const grid = page.getByRole('grid').first()
  const all = page.getByRole('checkbox', { name: 'Select all loaded rows' })
  await all.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => grid.locator('[aria-selected="false"]').count()).toBe(0)
  await page.keyboard.press('Space')
  await expect.poll(() => grid.locator('[aria-selected="true"]').count()).toBe(0)
  await page.keyboard.press('Tab')
  const sort = page.getByRole('button', { name: 'Sort: Touched, descending' })
  await expect.poll(() => focusedText(page)).toBe(await sort.textContent())
  await page.keyboard.press('Enter')
  const current = page.getByRole('menuitemradio', { name: 'Touched, descending' })
  await current.waitFor()
  expect(await current.getAttribute('aria-checked')).toBe('true')
  await expect.poll(() => focusedText(page)).toBe(await current.textContent())
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('menuitemradio', { name: 'Value, ascending' }).press('Enter')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sort: Value, ascending' }).waitFor()
  expect(await grid.locator('[aria-sort="ascending"]').textContent()).toBe('Value')
  expect(problems).toEqual([])
  await page.close()
})

test('on a phone, a row of a grid says what a value is, and leaves out a missing one', async () => {
  const { page } = await openBook({ part: 'grid', width: 390 })
  const rows = page.getByRole('grid').first().locator('[role=row]:has([data-row-link])')
  await expect.poll(() => rows.nth(0).textContent()).toContain('30 points')
  expect(await rows.nth(1).textContent()).not.toContain('–')
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect.poll(() => rows.nth(1).textContent()).toContain('–')
  await page.close()
})

test('dialogs and menus take the focus and return it', async () => {
  const { page, problems } = await openBook({ part: 'overlays' })
  const opener = page.getByRole('button', { name: 'Open dialog…' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  // the first field is filled
  await expect.poll(() => page.evaluate('document.activeElement.labels?.[0].textContent')).toBe('Notes')
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => focusedText(page)).toBe(await opener.textContent())
  const menu = page.getByRole('button', { name: 'More' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await expect.poll(() => focusedText(page)).toBe(await menu.textContent())
  expect(problems).toEqual([])
  await page.close()
})

test('a dialog asks before it discards what was typed, and Cancel discards it (DSH-30)', async () => {
  const { page, problems } = await openBook({ part: 'overlays' })
  const opener = page.getByRole('button', { name: 'Open dialog…' })
  await opener.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Open dialog…' })
  const notes = dialog.getByLabel('Notes')
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
  await notes.pressSequentially('Call on Monday')
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(5, 5),
    () => dialog.getByRole('button', { name: 'Close' }).press('Enter'),
  ]) {
    await leave()
    await question.waitFor()
    expect(await axeFindings(page)).toEqual([])
    // Keep editing
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    expect(await notes.inputValue()).toBe('Call on Monday')
  }
  await notes.focus()
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Discard' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => focusedText(page)).toBe(await opener.textContent())

  await opener.press('Enter')
  await notes.pressSequentially('Call on Tuesday')
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  // nothing is asked about a text that was taken back
  await opener.press('Enter')
  await notes.pressSequentially('C')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(problems).toEqual([])
  await page.close()
})

test.each([1440, 390])(
  'the words of a dialog stay inside it at %i px, however long they are',
  async width => {
    const { page } = await openBook({ part: 'overlays', width })
    await page.getByRole('button', { name: 'Remove (3)…' }).press('Enter')
    const dialog = page.getByRole('alertdialog')
    await dialog.waitFor()
    const beyond = await dialog.evaluate(element => {
      const { right } = element.getBoundingClientRect()
      return [...element.querySelectorAll('*')]
        .filter(part => part.getBoundingClientRect().right > right)
        .map(part => part.outerHTML)
    })
    expect(beyond).toEqual([])
    await page.close()
  },
)

test('on a phone, nothing below an open sheet takes the focus, and fields are large enough not to be magnified', async () => {
  const { page } = await openBook({ part: 'sheet', width: 390, hasTouch: true })
  const opener = page.getByRole('button', { name: 'Open Sara Vidal' })
  await opener.press('Enter')
  await page.getByRole('complementary').waitFor()
  for (let count = 0; count < 20; count++) {
    await page.keyboard.press('Tab')
    expect(
      await page.evaluate(
        'document.activeElement === document.body || !!document.activeElement.closest("aside")',
      ),
    ).toBe(true)
  }
  // the Escape of a button with a tooltip closes the tooltip first
  await page.getByRole('complementary').getByRole('heading').first().focus()
  await page.keyboard.press('Escape')
  await expect.poll(() => focusedText(page)).toBe(await opener.textContent())
  await page.close()
  const fields = await openBook({ part: 'fields', width: 390, hasTouch: true })
  const sizes = (await fields.page.evaluate(
    `[...document.querySelectorAll('input, textarea')].map(one => parseFloat(getComputedStyle(one).fontSize))`,
  )) as number[]
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(16)
  await fields.page.close()
})

test('on a phone, buttons and fields are at least 44 px high and wide (DSH-13)', async () => {
  for (const part of ['button', 'filters', 'form-actions', 'board', 'fields']) {
    const { page } = await openBook({ part, width: 390, hasTouch: true })
    const small = await page.evaluate(`[...document.querySelectorAll('main :is(button, input, textarea)')]
      .filter(one => !['checkbox', 'radio', 'hidden', 'file'].includes(one.type))
      .map(one => ({ one, box: one.getBoundingClientRect() }))
      // what is hidden from sight for screen readers has a size of 1 px
      .filter(({ one, box }) => box.width > 1 && (box.height < 44 || (one.matches('button') && box.width < 44)))
      .map(({ one, box }) => \`\${one.getAttribute('aria-label') ?? one.textContent} \${box.width} x \${box.height}\`)`)
    expect(small, part).toEqual([])
    await page.close()
  }
})

test('a number field counts and says its values, which the policy allows (DSH-3)', async () => {
  const { page, problems } = await openBook({ part: 'more-fields' })
  const field = page.getByRole('textbox', { name: 'Score' })
  await field.press('ArrowUp')
  await page.locator('[data-live-announcer]').getByText('83').waitFor({ state: 'attached' })
  await field.press('ArrowUp')
  await page.locator('[data-live-announcer]').getByText('84').waitFor({ state: 'attached' })
  expect(problems).toEqual([])
  await page.close()
})

test('a list that was not chosen from keeps closed over the message that says so', async () => {
  const { page } = await openBook({ part: 'more-fields' })
  const field = page.getByRole('combobox', { name: 'Source' })
  await page.getByRole('button', { name: 'Save' }).press('Enter')
  await page.getByText('Fill in this field.').waitFor()
  await expect.poll(() => page.locator(':focus').getAttribute('role')).toBe('combobox')
  expect(await field.getAttribute('aria-expanded')).toBe('false')
  await field.press('ArrowDown')
  await page.getByRole('option').first().waitFor()
  await page.close()
})

test('the chosen tab stays in view when its line becomes narrower', async () => {
  const { page, problems } = await openBook({ part: 'tabs' })
  const isInView = () =>
    page.locator('[aria-current=page][data-tab=t12]').evaluate(tab => {
      const { left, right } = tab.getBoundingClientRect()
      const line = tab.parentElement?.getBoundingClientRect()
      if (!line) throw new Error('the tab is in no line')
      return left >= line.left && right <= line.right
    })
  expect(await isInView()).toBe(true)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(isInView).toBe(true)
  expect(problems).toEqual([])
  await page.close()
})

test('a menu whose script comes late opens with the first key or press, and returns the focus', async () => {
  const { page, problems } = await openBook({ part: 'filters' })
  const add = page.getByRole('button', { name: /^Filter/ })
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: 'source' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('menuitem', { name: 'form' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('menu').first().waitFor({ state: 'detached' })
  await page.getByText('source is form').waitFor()
  await page.getByRole('button', { name: 'Remove the filter source' }).click()
  await add.click()
  await page.getByRole('menuitem', { name: 'source' }).waitFor()
  expect(await add.getAttribute('aria-expanded')).toBe('true')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await expect.poll(() => focusedText(page)).toBe(await add.textContent())
  expect(problems).toEqual([])
  await page.close()
})

test('a sheet takes the focus, goes to the next row, and returns the focus when it closes', async () => {
  const { page, problems } = await openBook({ part: 'sheet' })
  const opener = page.getByRole('button', { name: 'Open Sara Vidal' })
  await opener.focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('complementary')
  await sheet.waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H2')
  await page.keyboard.press(']')
  await sheet.getByText('2 / 3').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => focusedText(page)).toBe(await opener.textContent())
  expect(problems).toEqual([])
  await page.close()
})

test('a worker reads a long text, which is drawn in pieces, so that 500 KB do not block the page (DSH-17)', async () => {
  const { page, problems } = await openBook({ part: 'markdown' })
  await page.evaluate(`
    // who waits a second for the worker reads the source; this machine may be slower than theirs
    const { setTimeout } = window
    window.setTimeout = (run, ms, ...rest) => setTimeout(run, ms === 1_000 ? 60_000 : ms, ...rest)
    tasks = []
    new PerformanceObserver(list => tasks.push(...list.getEntries().map(task => task.duration))).observe({ type: 'longtask' })
  `)
  await page.getByRole('button', { name: 'Show 100 KB' }).click()
  await page.getByRole('heading', { name: 'End', exact: true }).waitFor()
  expect(await page.locator('#markdown table').count()).toBeGreaterThan(100)
  await page.getByRole('button', { name: 'Show 500 KB' }).click()
  await page.locator('#markdown [aria-busy="true"]').waitFor()
  await page.locator('#markdown [aria-busy="false"]').waitFor()
  const longest = (await page.evaluate('Math.max(0, ...tasks)')) as number
  expect(longest).toBeLessThan(4 * 50 * crowd())
  expect(problems).toEqual([])
  await page.close()
})

test('a text stays as its source if it is too long, or if the worker needs longer than a second (DSH-17)', async () => {
  const { page, problems } = await openBook({ part: 'markdown' })
  const source = page.locator('#markdown pre[aria-busy="false"]')
  await page.getByRole('button', { name: 'Show more than 500 KB' }).click()
  await source.waitFor()
  // this worker never starts
  await page.route(/markdown-worker/, () => {})
  const request = page.waitForRequest(/markdown-worker/)
  await page.getByRole('button', { name: 'Show 500 KB' }).click()
  await request
  await page.locator('#markdown pre[aria-busy="true"]').waitFor()
  await source.waitFor()
  expect(await source.textContent()).toContain('# Plan a week')
  expect(await page.locator('#markdown table').count()).toBe(1)
  expect(problems).toEqual([])
  await page.close()
})

test('the keyboard moves a card of a board, and a refused move goes back with its reason (DSH-13)', async () => {
  const { page, problems } = await openBook({ part: 'board' })
  const card = (column: string, name: string) =>
    page.getByRole('grid', { name: column }).getByRole('row', { name })
  await card('New', 'Sara Vidal').focus()
  await page.keyboard.press('Shift+ArrowRight')
  await card('Negotiating', 'Sara Vidal').and(page.locator(':focus')).waitFor()

  // the column beside it takes no card, the one behind it refuses
  await page.keyboard.press('Shift+ArrowRight')
  await page.getByText('Sara Vidal stays where it was. Somebody else changed it first.').waitFor()
  await card('Negotiating', 'Sara Vidal').and(page.locator(':focus')).waitFor()

  // the drag of React Aria: the handle, the next column that takes the card, drop
  await card('Negotiating', 'Lucía Ferrán').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  expect(
    await page.getByRole('region', { name: 'Won', includeHidden: true }).getAttribute('data-impossible'),
  ).toBe('true')
  await page.keyboard.press('Enter')
  await card('New', 'Lucía Ferrán').waitFor()
  expect(problems).toEqual([])
  await page.close()
})
