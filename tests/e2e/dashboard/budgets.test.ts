import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listInvoices } from '#contract/billing/invoices.ts'
import { listBudgets, readBudget, updateBudget } from '#contract/crm/budgets.ts'
import { listSignatures } from '#contract/crm/signatures.ts'
import { makeBudget, setIssuer } from '#tests/support/crm/budgets.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { signLink } from '#tests/support/crm/signing.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { captured, firstOf } from '#tests/support/elements.ts'

const dashboard = openDashboard()

/** Presses keys as a person does, one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Types the cells of a row, from the cell that has the focus on. */
async function typeRow(page: Page, ...cells: string[]): Promise<void> {
  for (const [at, cell] of cells.entries()) {
    if (at > 0) await press(page, 'Tab')
    if (cell !== '') await page.keyboard.type(cell)
  }
}

test('who types, moves, chooses and sends before the list is there, sends what the list says', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  await makeClient(owner, { name: 'Zimmer' })
  const client = await makeClient(owner, { name: 'Ateliernord' })
  const page = await dashboard.open(await addressOf(server, owner, '/budgets'), { person: owner })
  await seeHeading(page, 'Budgets')
  const reply = Promise.withResolvers<void>()
  await page.route(/\/api\/.*clients.*Atelier/, async route => {
    await reply.promise
    await route.continue()
  })
  await press(page, 'c')
  await page.getByRole('dialog', { name: 'New budget' }).waitFor()
  await page.keyboard.type('Spring campaign')
  await press(page, 'Tab')
  await page.getByRole('option', { name: 'Zimmer' }).waitFor()
  await page.keyboard.type('Atelier')
  await press(page, 'ArrowDown', 'Enter', 'Control+Enter')
  expect((await owner.call(listBudgets)).items).toEqual([])
  reply.resolve()
  await seeHeading(page, /^P-\d{4}-0001$/)
  expect((await owner.call(listBudgets)).items).toMatchObject([{ clientId: client.id }])
})

test('a budget by keys alone: its rows, the figures of the server, a paste, a conflict', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  await setIssuer(owner)
  const client = await makeClient(owner, { name: 'Ateliernord' })
  const page = await dashboard.open(await addressOf(server, owner, '/budgets'), {
    person: owner,
  })
  await seeHeading(page, 'Budgets')
  await press(page, 'c')
  const dialog = page.getByRole('dialog', { name: 'New budget' })
  await dialog.waitFor()
  await page.keyboard.type('Spring campaign')
  await press(page, 'Tab')
  await page.keyboard.type('Atelier')
  await page.getByRole('option', { name: 'Ateliernord' }).waitFor()
  await press(page, 'ArrowDown', 'Enter', 'Control+Enter')
  await seeHeading(page, /^P-\d{4}-0001$/)
  const cell = (column: string, row: number) => page.getByRole('textbox', { name: `${column}, row ${row}` })
  const total = page.locator('dd data').last()

  await cell('Item', 1).focus()
  await typeRow(page, 'Design', '2.5', 'h', '60', '10 %', '21')
  await press(page, 'Enter')
  await typeRow(page, 'Book', '', '', '20')
  await press(page, 'Control+d')
  await cell('Price', 3).waitFor()
  await press(page, 'Alt+ArrowUp', 'Alt+ArrowUp')
  await expect.poll(() => cell('Item', 1).inputValue()).toBe('Book')
  expect(await cell('Price', 1).evaluate('document.activeElement.getAttribute("aria-label")')).toBe(
    'Price, row 1',
  )
  // 2.5 h at 60 less 10 % is 135, twice 20, and 21 % of tax on all
  await expect.poll(() => total.textContent()).toBe('€211.75')
  await cell('Item', 3).focus()
  await press(page, 'Enter')
  await page.evaluate(`(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'Prints\\t10\\t1.50\\nFrames\\t2\\t30.00\\n')
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })()`)
  await expect.poll(() => cell('Price', 5).inputValue()).toBe('30.00')
  await expect.poll(() => total.textContent()).toBe('€302.50')
  await screenshot(page, 'budget', 'typed')
  await press(page, 'Control+Enter')
  await page.getByText('All saved').waitFor()
  const { items } = await owner.call(listBudgets, {})
  const budget = await owner.call(readBudget, { params: { id: firstOf(items).id } })
  expect(budget).toMatchObject({ title: 'Spring campaign', clientId: client.id, totalCents: 30_250 })

  // somebody else saves while the person types: both are kept, also after a reload
  await cell('Item', 1).focus()
  await page.keyboard.type('Booklet')
  await page.getByText('Draft kept in this browser').waitFor()
  await page.reload()
  await expect.poll(() => cell('Item', 1).inputValue()).toBe('Booklet')
  await owner.call(updateBudget, { params: { id: budget.id }, body: { notes: 'From another desk' } })
  await page.getByText('Somebody changed this budget').waitFor()
  await page.getByRole('button', { name: 'Go on with my changes' }).press('Enter')
  await page.getByLabel('Notes for the client').filter({ hasText: 'From another desk' }).waitFor()
  await cell('Item', 1).focus()
  await press(page, 'Control+Enter')
  await page.getByText('All saved').waitFor()
  expect(await owner.call(readBudget, { params: { id: budget.id } })).toMatchObject({
    notes: 'From another desk',
    sections: [{ items: [{ name: 'Booklet' }, {}, {}, {}, {}] }],
  })
  expect(await axeFindings(page)).toEqual([])
})

test('a budget is signed outside: the signature appears by itself, is verified, and is invoiced', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  await setIssuer(owner)
  const budget = await makeBudget(owner, { title: 'Spring campaign' })
  const page = await dashboard.open(await addressOf(server, owner, `/budgets/${budget.id}`), {
    person: owner,
  })
  await seeHeading(page, budget.code)
  await page.getByRole('link', { name: 'Signing' }).press('Enter')
  await page.getByRole('button', { name: 'Issue a link…' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name of the signer').waitFor()
  await page.keyboard.type('Ada Lovelace')
  await press(page, 'Tab')
  await page.keyboard.type('ada@lovelace.test')
  await press(page, 'Control+Enter')
  const token = captured(/([^/]+)$/, await dialog.locator('pre').textContent())
  await press(page, 'Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Sent', { exact: true }).first().waitFor()
  await screenshot(page, 'budget', 'link')
  // the address is shown once
  expect(await page.content()).not.toContain(token)

  const { status } = await signLink(server, token)
  expect(status).toBe(200)
  await page.getByRole('main').getByText('Valid', { exact: true }).waitFor()
  await page.getByText('Both fingerprints are equal').waitFor()
  const signature = firstOf((await owner.call(listSignatures, { params: { budgetId: budget.id } })).items)
  expect(await page.getByText(signature.documentHash).count()).toBe(3)
  expect(await page.getByRole('button', { name: 'Issue a link…' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Check chain' }).press('Enter')
  await page.getByText('The chain is whole. Signatures checked: 1.').waitFor()
  await press(page, 'Enter')
  await screenshot(page, 'budget', 'signed')
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('button', { name: 'Invoice this budget' }).press('Enter')
  await page.getByRole('button', { name: /^Invoice €/ }).press('Enter')
  await page.getByText('The draft of the invoice is there.').waitFor()
  await page.getByRole('button', { name: 'Invoice this budget' }).waitFor({ state: 'detached' })
  const { data } = await owner.call(listInvoices, {})
  expect(data).toMatchObject([{ totalCents: budget.totalCents, status: 'DRAFT' }])

  // somebody replaces the stored document: the verdict says so, with both fingerprints
  const { documentHash } = signature
  const stored = join(server.config.dataDir, 'files', 'objects', documentHash.slice(0, 2), documentHash)
  rmSync(stored)
  writeFileSync(stored, 'Another document')
  await page.getByRole('button', { name: 'Verify again' }).press('Enter')
  await page.getByRole('main').getByText('Modified', { exact: true }).waitFor()
  await page.getByText(createHash('sha256').update('Another document').digest('hex')).waitFor()
  await screenshot(page, 'budget', 'modified')
})
