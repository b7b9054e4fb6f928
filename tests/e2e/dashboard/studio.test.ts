import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listAssets, readAsset, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { thumbsUpAsset, useAsset } from '#contract/studio/uses.ts'
import { listVersions } from '#contract/studio/versions.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { firstOf } from '#tests/support/elements.ts'
import { hostileTexts } from '#tests/support/hostile-markdown.ts'
import { makeAsset } from '#tests/support/studio/assets.ts'

const dashboard = openDashboard()

/** Presses keys as a person does, one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'Text in Markdown' })

/** Pages over plain http have no clipboard: this one stands for it. */
async function giveClipboard(page: Page): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(navigator, 'clipboard', { value: { writeText: async text => { globalThis.copied = text } } })`,
  )
}

test('a person writes an asset, saves, compares, publishes and rolls back by keyboard alone', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(server, owner, '/studio'), { person: owner })
  await seeHeading(page, 'Studio')
  await page.getByText('There are no assets yet').waitFor()
  await press(page, 'c')
  const dialog = page.getByRole('dialog', { name: 'New asset' })
  await dialog.getByLabel('Name').waitFor()
  await page.keyboard.type('Plan a week')
  await press(page, 'Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await seeHeading(page, 'Plan a week')

  const editor = editorOf(page)
  await editor.waitFor()
  await editor.focus()
  await page.keyboard.type(
    '---\nmodel: sonnet # fast enough\n---\n\n# Plan\n\nKeep each day under eight hours.',
  )
  const panel = page.getByRole('complementary', { name: 'What you save' })
  await panel.getByText('Keep each day under eight hours.').waitFor()
  await page.getByText('Draft saved here').waitFor()
  // what was typed survives a reload
  await page.reload()
  await page.getByText('You go on with the draft that you left here.').waitFor()
  await editor.filter({ hasText: 'under eight hours' }).waitFor()
  await screenshot(page, 'studio', 'editor')
  expect(await axeFindings(page)).toEqual([])
  await editor.focus()
  await press(page, 'Control+Enter')
  await page.getByText('Saved as 1.0.1.').waitFor()
  const { items } = await owner.call(listAssets, {})
  const id = firstOf(items).id
  expect(await owner.call(readAsset, { params: { id } })).toMatchObject({
    bodyMarkdown: '# Plan\n\nKeep each day under eight hours.',
    frontmatterText: 'model: sonnet # fast enough\n',
  })

  // the form changes its line of the same text
  await page.getByRole('button', { name: 'Front matter' }).press('Enter')
  const model = page.getByLabel('model', { exact: true })
  await model.fill('opus')
  await page.getByRole('button', { name: 'Markdown', exact: true }).press('Enter')
  await editor.filter({ hasText: 'model: opus # fast enough' }).waitFor()
  await page.getByRole('radio', { name: 'Rewrite the active one · 1.0.1' }).press('Space')
  await page.getByRole('button', { name: 'Rewrite 1.0.1' }).press('Enter')
  await page.getByText('All saved').waitFor()
  await page.getByRole('button', { name: 'Close the editor' }).press('Enter')

  await page.getByRole('button', { name: 'Publish 1.0.1…' }).press('Enter')
  await page.getByRole('button', { name: 'Publish 1.0.1', exact: true }).press('Enter')
  await page.getByText('“Plan a week” 1.0.1 is published.').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'Versions' }).press('Enter')
  await page.getByRole('row', { name: '1.0.1' }).focus()
  await press(page, 'x', 'j', 'x')
  await page.getByText('2 selected').first().waitFor()
  await screenshot(page, 'studio', 'versions')
  await press(page, 'd')
  await page.getByRole('heading', { name: '1.0.0 → 1.0.1' }).waitFor()
  expect(new URL(page.url()).search).toContain('from=1.0.0&to=1.0.1')
  await page.getByRole('cell', { name: 'Keep each day under eight hours.' }).waitFor()
  // the address has both versions
  await page.reload()
  await page.getByRole('cell', { name: 'Keep each day under eight hours.' }).waitFor()
  await screenshot(page, 'studio', 'comparison')
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Escape')

  await page.getByRole('row', { name: '1.0.0' }).focus()
  await press(page, 'Shift+F10')
  await page.getByRole('menuitem', { name: 'Roll back to this version…' }).press('Enter')
  const rollback = page.getByRole('dialog', { name: 'Roll back to 1.0.0' })
  await rollback.getByLabel('Why').fill('Too strict')
  await press(page, 'Control+Enter')
  await page.getByText('1.0.2 restores 1.0.0.').waitFor()
  const versions = await owner.call(listVersions, { params: { id } })
  expect(versions.items[0]).toMatchObject({
    version: '1.0.2',
    restoredFrom: '1.0.0',
    changelog: 'Too strict',
    isCurrent: true,
  })
})

test('two people edit one asset: the second one sees it, brings both texts together, and nothing is lost', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const [owner, mei] = [
    await organization.person({ role: 'OWNER' }),
    await organization.person({ role: 'ADMIN' }),
  ]
  const body = ['# Plan', '', 'First.', '', 'Second.', '', 'Third.'].join('\n')
  const { id } = await makeAsset(owner, { name: 'Plan a week', bodyMarkdown: body })
  const address = await addressOf(server, owner, `/studio/${id}?edit=true`)
  const page = await dashboard.open(address, {
    person: owner,
    refusals: [`PATCH /api/studio/assets/${id} 409`],
  })
  await editorOf(page).waitFor()
  await editorOf(page).focus()
  await press(page, 'Control+End')
  await page.keyboard.type(' Mine.')
  const discard = page.getByRole('button', { name: 'Discard the draft' })
  await discard.waitFor()

  await mei.call(updateAsset, { params: { id }, body: { bodyMarkdown: body.replace('First.', 'Theirs.') } })
  await page.getByText('Somebody saved 1.0.1 while you were writing').waitFor()
  await screenshot(page, 'studio', 'conflict')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Bring both together' }).press('Enter')
  await editorOf(page).filter({ hasText: 'Theirs.' }).waitFor()
  await page.getByRole('radio', { name: 'Minor version · 1.1.0' }).press('Space')
  await editorOf(page).focus()
  await press(page, 'Control+Enter')
  await page.getByText('Saved as 1.1.0.').waitFor()
  await discard.waitFor({ state: 'detached' })
  expect((await owner.call(readAsset, { params: { id } })).bodyMarkdown).toBe(
    `${body.replace('First.', 'Theirs.')} Mine.`,
  )

  // both change the same line: both passages are there, and the text waits for a decision
  await press(page, 'Control+End')
  await page.keyboard.type(' And mine.')
  await discard.waitFor()
  const { bodyMarkdown } = await owner.call(readAsset, { params: { id } })
  await mei.call(updateAsset, { params: { id }, body: { bodyMarkdown: `${bodyMarkdown} And theirs.` } })
  await page.getByRole('button', { name: 'Bring both together' }).press('Enter')
  await page.getByText('You both changed one place: decide there.').waitFor()
  await editorOf(page).filter({ hasText: 'And mine.' }).filter({ hasText: 'And theirs.' }).waitFor()
  expect(await page.getByRole('button', { name: /^Save as/ }).isDisabled()).toBe(true)
  await discard.press('Enter')
  await editorOf(page).filter({ hasNotText: 'And mine.' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().press('Enter')
  await editorOf(page).filter({ hasText: 'And mine.' }).waitFor()

  // leaving asks, and a deleted asset leaves its text to copy
  await page.getByRole('link', { name: 'Studio', exact: true }).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).press('Enter')
  await question.waitFor({ state: 'detached' })
})

test('people find, preview, copy and rate assets; what others do appears by itself', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const [owner, mei] = [await organization.person({ role: 'OWNER' }), await organization.person()]
  const shared = { visibility: 'ORGANIZATION' as const }
  const week = await makeAsset(owner, {
    ...shared,
    name: 'Plan a week',
    type: 'COMMAND',
    description: 'Turns open tasks into a week.',
    bodyMarkdown: '# Week\n\nPlan for $0, at most $1 hours.',
    tags: ['planning'],
  })
  await owner.call(publishAsset, { params: { id: week.id } })
  await makeAsset(owner, { ...shared, name: 'Greeting', bodyMarkdown: 'Hello.' })
  const page = await dashboard.open(await addressOf(server, owner, '/studio'), {
    person: mei,
    refusals: [`GET /api/studio/assets/${week.id} 404`],
  })
  await page.getByRole('row', { name: 'Plan a week' }).waitFor()
  await giveClipboard(page)
  await makeAsset(owner, { ...shared, name: 'Release notes', type: 'SKILL' })
  await page.getByRole('button', { name: /1 new/ }).press('Enter')
  await page.getByRole('row', { name: 'Release notes' }).waitFor()
  await screenshot(page, 'studio', 'catalogue')
  expect(await axeFindings(page)).toEqual([])

  await page.getByRole('row', { name: 'Greeting' }).focus()
  await press(page, 'y')
  await page.getByText('“Greeting” was copied.').waitFor()
  expect(await page.evaluate('copied')).toBe('Hello.')
  await page.getByRole('row', { name: 'Plan a week' }).focus()
  await press(page, 'p')
  const sheet = page.getByRole('complementary', { name: 'Plan a week' })
  await sheet.getByText('Plan for $0, at most $1 hours.').waitFor()
  await screenshot(page, 'studio', 'sheet')
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'y')
  const use = page.getByRole('dialog', { name: 'Use “Plan a week”' })
  await use.getByLabel('argument0').fill('Team Norte')
  await use.getByLabel('argument1').fill('32')
  await use.getByText('Plan for Team Norte, at most 32 hours.').waitFor()
  await press(page, 'Control+Enter')
  await use.waitFor({ state: 'detached' })
  expect(await page.evaluate('copied')).toBe('# Week\n\nPlan for Team Norte, at most 32 hours.')

  // a slug leads to the page, the counters tick, and a thumb shows at once
  await page.goto(await addressOf(server, owner, `/studio/${week.slug}`))
  await seeHeading(page, 'Plan a week')
  await page.getByText('Used 1', { exact: true }).waitFor()
  await page.getByRole('group', { name: 'Uses in the last 30 days' }).waitFor()
  await page.getByRole('button', { name: 'Helps me: 0', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Helps me: 1', exact: true }).waitFor()
  await owner.call(useAsset, { params: { id: week.id }, body: {} })
  await owner.call(thumbsUpAsset, { params: { id: week.id } })
  await page.getByText('Used 2', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Helps me: 2', exact: true }).waitFor()
  // a member who may read but not change sees nothing that would be refused
  expect(await page.getByRole('button', { name: /Edit|Publish/ }).count()).toBe(0)
  await screenshot(page, 'studio', 'asset')
  expect(await axeFindings(page)).toEqual([])

  await owner.call(removeAsset, { params: { id: week.id } })
  await page.getByText('This asset was deleted, or you may not see it any more.').waitFor()
  await page.getByText('Plan for $0, at most $1 hours.').waitFor()
})

test('hostile texts load nothing, run nothing and leave the page usable', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(server, owner, '/studio'), { person: owner })
  await seeHeading(page, 'Studio')
  const foreign: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(server.url)) foreign.push(request.url())
  })
  page.on('dialog', shown => {
    foreign.push(shown.message())
    void shown.dismiss()
  })
  const base = await addressOf(server, owner, '/studio')
  for (const [name, bodyMarkdown] of Object.entries(hostileTexts)) {
    const { id } = await makeAsset(owner, { name, bodyMarkdown })
    await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(`${base}/${id}`)} })`)
    await seeHeading(page, name)
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
  }
  // and in the editor
  await press(page, 'e')
  await editorOf(page).waitFor()
  await page.getByRole('complementary', { name: 'What you save' }).waitFor()
  expect(foreign).toEqual([])
})
