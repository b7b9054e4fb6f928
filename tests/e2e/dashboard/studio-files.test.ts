import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { createGroup } from '#contract/identity/units.ts'
import { readAsset, removeAsset } from '#contract/studio/assets.ts'
import { listCollections, readCollection } from '#contract/studio/collections.ts'
import { listFiles } from '#contract/studio/files.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { listByEntity } from '#contract/studio/links.ts'
import { listShares } from '#contract/studio/shares.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import {
  addressOf,
  axeFindings,
  openDashboard,
  screenshot,
  seeContent,
  seeHeading,
} from '#tests/support/dashboard.ts'
import { defined, firstOf, lastOf } from '#tests/support/elements.ts'
import { makeAsset, makeCollection, shareAsset } from '#tests/support/studio/assets.ts'
import { addFiles } from '#tests/support/studio/files.ts'
import { exportPackage } from '#tests/support/studio/packages.ts'
import { zipOfFiles } from '#tests/support/studio/zip.ts'

const dashboard = openDashboard()

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Presses Undo in the toast with these words. */
async function undo(page: Page, words: string): Promise<void> {
  const toast = page
    .getByRole('region', { name: 'Notices' })
    .locator('[data-kind]')
    .filter({ hasText: words })
  await toast.getByRole('button', { name: 'Undo' }).press('Enter')
}

/** The bytes of what the page downloads while it does something. */
async function downloadOf(page: Page, act: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return readFileSync(await download.path())
}

test('packages are checked, imported, given files and exported again with the same bytes', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const original = await makeAsset(owner, {
    name: 'Release notes',
    type: 'SKILL',
    description: 'Writes release notes',
    bodyMarkdown: '# Release notes\n',
    frontmatter: { license: 'MIT', model: 'sonnet' },
  })
  await addFiles(owner, original.id, [['scripts/run.py', 'print("hello")\n']])
  const zip = await exportPackage(owner, original.id)
  await owner.call(removeAsset, { params: { id: original.id } })

  // what is deleted for good leaves its short name to the import
  const page = await dashboard.open(await addressOf(server, owner, '/studio/trash'), { person: owner })
  await seeHeading(page, 'Deleted assets')
  await page
    .getByRole('row', { name: 'Release notes' })
    .getByRole('button', { name: /Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Remove for good…' }).click()
  const purge = page.getByRole('alertdialog')
  expect(await purge.getByRole('button', { name: 'Remove for good' }).isDisabled()).toBe(true)
  await purge.getByLabel('Type Release notes to confirm').fill('Release notes')
  await purge.getByRole('button', { name: 'Remove for good' }).click()
  await page.getByText('There are no deleted assets').waitFor()

  await page.goto(await addressOf(server, owner, '/studio/import'))
  await seeHeading(page, 'Import packages')
  await page.locator('input[type=file]').setInputFiles([
    { name: 'release.zip', mimeType: 'application/zip', buffer: zip },
    {
      name: 'broken.zip',
      mimeType: 'application/zip',
      buffer: zipOfFiles({ 'broken/SKILL.md': '---\nname: broken\n---\nText' }),
    },
    { name: 'greeting.md', mimeType: 'text/markdown', buffer: Buffer.from('Greet $ARGUMENTS\n') },
  ])
  const row = (name: string) =>
    page.getByRole('list', { name: 'Packages' }).getByRole('listitem').filter({ hasText: name })
  await row('broken.zip').getByText('A skill needs a description.').waitFor()
  await row('greeting.md').getByText('Ready to import').waitFor()
  await page.getByRole('button', { name: 'Import 2 assets' }).press('Enter')
  await row('release.zip').getByText('Imported', { exact: true }).waitFor()
  await row('greeting.md').getByText('Imported', { exact: true }).waitFor()
  await screenshot(page, 'studio-files', 'imported')
  expect(await axeFindings(page)).toEqual([])
  await row('release.zip').getByRole('link', { name: 'Open' }).press('Enter')
  await seeHeading(page, 'Release notes')

  await page.getByRole('button', { name: 'Actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Export…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Export “Release notes”' })
  await dialog.getByText('These keys move into “metadata”, as text: model.').waitFor()
  const exported = await downloadOf(page, () => press(page, 'Control+Enter'))
  expect(exported.equals(zip)).toBe(true)
  await dialog.waitFor({ state: 'detached' })

  // a file that is there already is replaced only when the person says so
  const id = lastOf(new URL(page.url()).pathname.split('/'))
  await page.getByRole('link', { name: 'Files' }).press('Enter')
  await page.getByLabel('Folder (optional)').fill('scripts')
  await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles([
    { name: 'run.py', mimeType: 'text/x-python', buffer: Buffer.from('print("again and again")\n') },
    { name: 'dates.py', mimeType: 'text/x-python', buffer: Buffer.from('today = 1\n') },
  ])
  await page.getByRole('row', { name: 'dates.py' }).waitFor()
  await page.getByText('There is a file at this path already').waitFor()
  await page.getByRole('button', { name: 'Replace' }).press('Enter')
  await page.getByRole('row', { name: 'run.py' }).getByText('25 B').waitFor()
  await page.getByRole('row', { name: 'run.py' }).press('Enter')
  const sheet = page.getByRole('complementary', { name: 'run.py' })
  await sheet.getByText('print("again and again")').waitFor()
  await screenshot(page, 'studio-files', 'file')
  const saved = await downloadOf(page, () => sheet.getByRole('button', { name: 'Download' }).press('Enter'))
  expect(saved.toString()).toBe('print("again and again")\n')
  const { items } = await owner.call(listFiles, { params: { id, version: 'current' } })
  expect(items.map(({ path }) => path)).toEqual(['scripts/dates.py', 'scripts/run.py'])

  // somebody publishes it: its files are locked without a reload, and a new version frees them
  await owner.call(publishAsset, { params: { id } })
  await page.getByRole('button', { name: 'Make a version' }).press('Enter')
  await page.getByText('The active version is 1.0.1. Its files can be changed.').waitFor()
  await sheet.getByRole('button', { name: 'Close' }).press('Enter')
  await sheet.waitFor({ state: 'detached' })
  await page.getByLabel('Folder (optional)').waitFor()
})

test('collections are created, filled and moved by keyboard and by drag, and a move that cannot be is not offered', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const brand = await makeCollection(owner, { name: 'Brand' })
  const tone = await makeCollection(owner, { name: 'Tone', parentId: brand })
  const support = await makeCollection(owner, { name: 'Support' })
  await makeAsset(owner, { name: 'Meeting summary' })
  await makeAsset(owner, { name: 'Plan a week', collectionIds: [brand] })
  const page = await dashboard.open(await addressOf(server, owner, '/collections'), { person: owner })
  const node = (name: string) =>
    page.getByRole('treegrid', { name: 'Collections' }).getByRole('row', { name, exact: true })
  await page.getByText('it grants no access to them').waitFor()
  await node('Tone').waitFor()
  expect(await axeFindings(page)).toEqual([])

  // into itself and below itself are not offered
  await node('Brand').focus()
  await press(page, 'm')
  const move = page.getByRole('dialog', { name: 'Move “Brand”' })
  await move.getByRole('combobox', { name: 'Inside' }).focus()
  await press(page, 'ArrowDown')
  await page.getByRole('option', { name: 'Support' }).waitFor()
  expect(await page.getByRole('option').allInnerTexts()).toEqual(['Support'])
  await page.keyboard.press('Escape')
  await move.getByRole('button', { name: 'Cancel' }).press('Enter')
  await move.waitFor({ state: 'detached' })

  await node('Tone').focus()
  await press(page, 'm')
  const moveTone = page.getByRole('dialog', { name: 'Move “Tone”' })
  await moveTone.getByRole('combobox', { name: 'Inside' }).fill('supp')
  await page.getByRole('option', { name: 'Support' }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await moveTone.getByRole('button', { name: 'Move collection' }).press('Enter')
  await moveTone.waitFor({ state: 'detached' })
  await expect.poll(() => parentOf(tone)).toBe(support)

  await node('Support').dragTo(node('Brand'))
  await expect.poll(() => parentOf(support)).toBe(brand)
  await undo(page, '“Support” is now in “Brand”.')
  await page.getByText('“Support” is now at the top level.').waitFor()
  expect(await parentOf(support)).toBe(null)

  await node('Brand').focus()
  await press(page, 'Enter')
  await seeHeading(page, 'Brand')
  await page.getByRole('row', { name: 'Plan a week' }).waitFor()
  await press(page, 'a')
  const add = page.getByRole('dialog', { name: 'Add assets to “Brand”' })
  await add.getByRole('combobox', { name: 'Find an asset' }).fill('meeting')
  await page.getByRole('option', { name: 'Meeting summary' }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await add.locator('li').filter({ hasText: 'Meeting summary' }).waitFor()
  await press(page, 'Tab')
  await press(page, 'Control+Enter')
  await add.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'Meeting summary' }).waitFor()
  await page.getByText('1 asset added to “Brand”.').waitFor()
  await expect.poll(countOf).toBe(2)
  await screenshot(page, 'studio-collections', 'filled')

  await page.getByRole('grid', { name: 'Assets' }).getByRole('row', { name: 'Plan a week' }).focus()
  await press(page, 'x', 'r')
  await page.getByRole('row', { name: 'Plan a week' }).waitFor({ state: 'detached' })
  await expect.poll(countOf).toBe(1)
  await undo(page, '1 asset taken out of the collection.')
  await page.getByRole('row', { name: 'Plan a week' }).waitFor()
  await expect.poll(countOf).toBe(2)

  await press(page, 'c')
  const create = page.getByRole('dialog', { name: 'New collection in “Brand”' })
  await create.getByLabel('Name').fill('Examples')
  await press(page, 'Control+Enter')
  await seeHeading(page, 'Examples')
  const { items } = await owner.call(listCollections, { query: { parentId: brand } })
  expect(items.map(({ name }) => name)).toEqual(['Examples'])

  async function parentOf(id: string): Promise<string | null> {
    return (await owner.call(readCollection, { params: { id } })).parentId
  }
  async function countOf(): Promise<number> {
    return (await owner.call(readCollection, { params: { id: brand } })).assetCount
  }
})

test('an editor shares an asset up to their own level, sees who reads it and why, and links it to a client', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER', name: 'Miren Aguirre' })
  const editor = await organization.person({ name: 'Mei Lin' })
  await organization.person({ name: 'Jon Etxebarria' })
  const { id: groupId } = await owner.call(createGroup, { body: { name: 'Writers' } })
  const client = await makeClient(owner, { name: 'Vitrina' })
  const { id } = await makeAsset(owner, { name: 'Meeting summary', visibility: 'WORKSPACE' })
  await shareAsset(server, owner, id, 'USER', editor.id, { level: 'EDIT' })
  await shareAsset(server, owner, id, 'GROUP', groupId, { level: 'ADMIN' })
  const page = await dashboard.open(await addressOf(server, editor, `/studio/${id}?tab=shares`), {
    person: editor,
  })
  await page.getByText('Members of the workspaces of its author').waitFor()
  await page.getByText('By its visibility: Workspaces').waitFor()

  // what is above one's own level can be seen, not changed
  await page.getByRole('button', { name: 'Actions for Writers' }).press('Enter')
  const revoke = page.getByRole('menuitem', { name: 'Stop sharing' })
  expect(await revoke.getAttribute('aria-disabled')).toBe('true')
  await press(page, 'Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })

  await press(page, 'c')
  const share = page.getByRole('dialog', { name: 'Share “Meeting summary”' })
  await share.getByRole('combobox', { name: 'Whom' }).fill('jon')
  await page.getByRole('option', { name: /Jon Etxebarria/ }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await share.locator('li').filter({ hasText: 'Jon Etxebarria' }).waitFor()
  await press(page, 'Tab')
  expect(await share.getByRole('radio').count()).toBe(2)
  await share.getByRole('button', { name: /Ends/ }).press('Enter')
  await page.getByRole('option', { name: 'In 30 days' }).press('Enter')
  await screenshot(page, 'studio-shares', 'new')
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Control+Enter')
  await share.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Actions for Jon Etxebarria' }).waitFor()
  const { items } = await owner.call(listShares, { params: { id } })
  expect(items[0]).toMatchObject({ granteeName: 'Jon Etxebarria', accessLevel: 'READ' })
  expect(Date.parse(defined(firstOf(items).expiresAt)) - Date.now()).toBeGreaterThan(29 * 86_400_000)
  await page.getByRole('button', { name: 'Actions for Jon Etxebarria' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Stop sharing' }).press('Enter')
  await undo(page, 'Jon Etxebarria no longer has this access.')
  await expect.poll(async () => (await owner.call(listShares, { params: { id } })).total).toBe(3)

  await page.getByRole('link', { name: 'Links' }).press('Enter')
  await page.getByText('This asset is linked to no record.').waitFor()
  await press(page, 'c')
  const link = page.getByRole('dialog', { name: 'Link “Meeting summary”' })
  await link.getByRole('combobox', { name: 'Which one' }).fill('vit')
  await page.getByRole('option', { name: 'Vitrina' }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await link.getByLabel('Note').fill('For the monthly meeting')
  await press(page, 'Control+Enter')
  await link.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Vitrina' }).press('Enter')
  await seeHeading(page, 'Vitrina')

  // the client shows its assets; others that link one are seen at once
  const card = page.getByRole('region', { name: /Linked assets/ })
  await card.getByText('For the monthly meeting').waitFor()
  const { id: other } = await makeAsset(owner, { name: 'Plan a week', visibility: 'ORGANIZATION' })
  await shareAsset(server, owner, other, 'USER', editor.id, { level: 'EDIT' })
  await card.getByRole('button', { name: 'Link an asset…' }).press('Enter')
  const linkAsset = page.getByRole('dialog', { name: 'Link an asset of the studio' })
  await linkAsset.getByRole('combobox', { name: 'Asset' }).fill('plan')
  await page.getByRole('option', { name: /Plan a week/ }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await linkAsset.locator('li').filter({ hasText: 'Plan a week' }).waitFor()
  await press(page, 'Tab')
  await press(page, 'Control+Enter')
  await linkAsset.waitFor({ state: 'detached' })
  await card.getByRole('link', { name: 'Plan a week' }).waitFor()
  await screenshot(page, 'studio-links', 'client')
  await seeContent(page)
  const linked = await owner.call(listByEntity, { query: { entityType: 'client', entityId: client.id } })
  expect(linked.items.map(({ asset }) => asset.name)).toEqual(['Plan a week', 'Meeting summary'])
  expect((await owner.call(readAsset, { params: { id } })).visibility).toBe('WORKSPACE')
})
