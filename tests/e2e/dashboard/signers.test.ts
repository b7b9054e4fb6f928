import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { readBudget } from '#contract/crm/budgets.ts'
import { makeBudget, setIssuer } from '#tests/support/crm/budgets.ts'
import { addressOfSigner, mailedSecret } from '#tests/support/crm/signature-requests.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { openSmtpServer } from '#tests/support/smtp.ts'

const smtp = await openSmtpServer()
const dashboard = openDashboard({ smtpUrl: smtp.url, mailFrom: 'Patio <patio@example.com>' })
afterAll(() => smtp.close())

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Opens the link that a signer received and signs by keys alone. Returns the text of the page before. */
async function signByKeys(name: string): Promise<string> {
  const page = await dashboard.open(`/s/${await mailedSecret(smtp, name)}`)
  const text = await page.locator('body').innerText()
  await screenshot(page, 'signers', `page-${name}`)
  expect(await axeFindings(page)).toEqual([])
  await page.getByLabel('Your full name').focus()
  await press(page, 'Tab', 'Space', 'Tab', 'Enter')
  await page.getByText('Thank you').waitFor()
  await screenshot(page, 'signers', `signed-${name}`)
  return text
}

test('two people sign one after the other: asked for, moved and followed by keys alone', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  await setIssuer(owner)
  const budget = await makeBudget(owner, { title: 'Spring campaign' })
  const page = await dashboard.open(await addressOf(server, owner, `/budgets/${budget.id}?tab=signing`), {
    person: owner,
  })
  await seeHeading(page, budget.code)
  await page.getByRole('button', { name: 'Request several signatures…' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('group', { name: 'Signer 2' }).waitFor()
  await page.keyboard.type('Bea')
  await press(page, 'Tab')
  await page.keyboard.type(addressOfSigner('Bea'))
  // the buttons up and remove are disabled
  await press(page, 'Tab', 'Tab')
  await page.keyboard.type('Ana')
  await press(page, 'Tab')
  await page.keyboard.type(addressOfSigner('Ana'))
  await press(page, 'Alt+ArrowUp')
  const first = dialog.getByRole('group', { name: 'Signer 1' })
  await expect.poll(() => first.getByLabel('Name').inputValue()).toBe('Ana')
  expect(await page.evaluate('document.activeElement.name')).toBe('signers.0.email')
  await screenshot(page, 'signers', 'dialog')
  expect(await axeFindings(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await screenshot(page, 'signers', 'phone-dialog')
  await page.setViewportSize({ width: 1440, height: 900 })
  await press(page, 'Enter')
  await dialog.waitFor({ state: 'detached' })

  const line = (name: string) => page.getByRole('listitem').filter({ hasText: addressOfSigner(name) })
  await line('Ana').getByText('Sent').waitFor()
  await line('Bea').getByText('Waiting for Ana').waitFor()
  expect(await page.getByRole('button', { name: 'Issue a link…' }).isDisabled()).toBe(true)
  await screenshot(page, 'signers', 'waiting')
  await page.setViewportSize({ width: 390, height: 844 })
  await screenshot(page, 'signers', 'phone')
  expect(await axeFindings(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })

  expect(await signByKeys('Ana')).toContain('You are the 1st of 2 signers.')
  await line('Ana').getByText('Signed').waitFor()
  await line('Bea').getByRole('button', { name: 'Send again…' }).waitFor()
  expect((await owner.call(readBudget, { params: { id: budget.id } })).status).toBe('SENT')
  const shown = await signByKeys('Bea')
  expect(shown).toContain('You are the 2nd of 2 signers.')
  expect(shown).toContain('Ana signed on')
  await line('Bea').getByText('Signed').waitFor()
  await page.getByText('2 of 2 signatures').waitFor()
  await page.getByText('Both fingerprints are equal').nth(1).waitFor()
  expect((await owner.call(readBudget, { params: { id: budget.id } })).status).toBe('SIGNED')
  await screenshot(page, 'signers', 'complete')
  expect(await axeFindings(page)).toEqual([])
})
