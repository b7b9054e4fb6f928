import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { listAppMessages } from '#contract/chat/application-messages.ts'
import { listOwnChannels } from '#contract/chat/channels.ts'
import { readDraft } from '#contract/chat/drafts.ts'
import { listMessages } from '#contract/chat/messages.ts'
import { createTestChannel, insertTestGrant, sendMessage } from '#tests/support/chat/chat.ts'
import { plantMessages } from '#tests/support/chat/many-messages.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import type { Person } from '#tests/support/test-server.ts'

const dashboard = openDashboard()

/** Presses keys as a person does, one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Waits for what the server or the stream brings. A busy machine may take longer. */

const messageWith = (page: Page, text: string | RegExp) => page.getByRole('article').filter({ hasText: text })

async function openChannel(
  person: Person,
  channelId: string,
  { query = '', ...options }: Parameters<typeof dashboard.open>[1] & { query?: string } = {},
): Promise<Page> {
  const address = await addressOf(dashboard.server, person, `/channels/${channelId}${query}`)
  const page = await dashboard.open(address, { person, ...options })
  await page.getByRole('log', { name: 'Messages' }).waitFor()
  return page
}

/** Writes into the field of the channel and sends. */
async function write(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Write in/ }).focus()
  await page.keyboard.type(text)
  await press(page, 'Enter')
}

test('two people on phones: a mention, a thread, an edit, an internal message that the application never sees, and one that is sent again', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const mei = await organization.person({ role: 'OWNER', name: 'Mei Lin' })
  const amir = await organization.person({ name: 'Amir Benali', permissions: ['CHAT_USE'] })
  const { id } = await createTestChannel(mei, { name: 'support', memberIds: [amir.id] })
  const application = await makeApplication(server, organization, {
    name: 'Support desk',
    scopes: ['chat:messages:view'],
  })
  await insertTestGrant(server, id, application, mei)
  const [hers, his] = await Promise.all([
    openChannel(mei, id, { width: 390 }),
    openChannel(amir, id, { width: 390 }),
  ])
  await seeHeading(hers, '#support')
  await his.getByText('2 people and 1 application see this').waitFor()

  await hers.getByRole('button', { name: 'Visible to 2 people and Support desk' }).waitFor()
  await press(hers, 'm')
  await hers.keyboard.type('Where is order 4711?')
  await press(hers, 'Enter')
  await messageWith(his, 'Where is order 4711?').waitFor()

  await his.getByRole('textbox', { name: 'Write in #support' }).focus()
  await his.keyboard.type('@me')
  await his.getByRole('option', { name: 'Mei Lin' }).waitFor()
  await press(his, 'Enter')
  await his.keyboard.type('it left **today**')
  await screenshot(his, 'chat', 'phone-mention')
  await press(his, 'Enter')
  await messageWith(hers, '@Mei Lin it left today').waitFor()
  await messageWith(hers, '@Mei Lin').locator('strong').getByText('today').waitFor()

  await messageWith(hers, 'Where is order').focus()
  await press(hers, 'r')
  const thread = hers.getByRole('complementary', { name: 'Thread' })
  await thread.getByRole('textbox', { name: 'Reply in the thread' }).focus()
  await hers.keyboard.type('Which number?')
  await press(hers, 'Enter')
  await thread.getByRole('article').filter({ hasText: 'Which number?' }).waitFor()
  await screenshot(hers, 'chat', 'phone-thread')
  expect(await axeFindings(hers)).toEqual([])
  await his.getByRole('button', { name: '1 reply' }).waitFor()
  await his.getByRole('button', { name: /Mei Lin replied in a thread/ }).waitFor()

  // the arrow in an empty field edits what one wrote last
  await his.getByRole('textbox', { name: 'Write in #support' }).focus()
  await press(his, 'ArrowUp')
  const editor = his.getByRole('textbox', { name: 'Edit the message' })
  await editor.waitFor()
  await his.keyboard.type(' at noon')
  await press(his, 'Enter')
  await editor.waitFor({ state: 'detached' })
  await hers.getByRole('button', { name: 'Close', exact: true }).press('Enter')
  await messageWith(hers, 'today at noon').getByText('edited').waitFor()

  await his.getByRole('textbox', { name: 'Write in #support' }).focus()
  await press(his, 'Alt+i')
  await his.getByRole('button', { name: 'Internal, 2 people, no application' }).waitFor()
  await his.keyboard.type('They asked twice, call them')
  await screenshot(his, 'chat', 'phone-internal')
  await press(his, 'Enter')
  await hers
    .getByRole('article', { name: /Internal/ })
    .getByText('They asked twice')
    .waitFor()
  await screenshot(hers, 'chat', 'phone-log')
  const { items } = await application.client.call(listAppMessages, { params: { channelId: id } })
  expect(items.map(({ content }) => content).join()).not.toContain('They asked twice')
  expect(items).toHaveLength(3)

  // no connection first, then the answer is lost on the way: the message is there once
  await interrupt(his, () => Promise.resolve())
  await write(his, 'Calling now')
  await his.getByText('Not sent.').waitFor()
  await screenshot(his, 'chat', 'phone-not-sent')
  await his.context().unroute('**/messages')
  await interrupt(his, route => route.fetch())
  await his.getByRole('button', { name: 'Retry' }).press('Enter')
  await messageWith(hers, 'Calling now').waitFor()
  const { items: all } = await mei.call(listMessages, { params: { id } })
  expect(all.filter(({ content }) => content === 'Calling now')).toHaveLength(1)
  expect(all[0]).toMatchObject({ visibility: 'INTERNAL' })
  await his.getByText('Not sent.').waitFor({ state: 'detached' })
  await his.context().unrouteAll({ behavior: 'wait' })
})

/** Lets no answer to a new message through. */
async function interrupt(page: Page, before: (route: Route) => Promise<unknown>): Promise<void> {
  await page.context().route('**/messages', async route => {
    if (route.request().method() !== 'POST') return route.fallback()
    await before(route)
    await route.abort()
  })
}

test('10,000 messages: the line under the eye stays while older ones load and new ones arrive, and the end is followed only at the end', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const other = await organization.person({ name: 'Amir Benali', permissions: ['CHAT_USE'] })
  const { id } = await createTestChannel(owner, { memberIds: [other.id] })
  await plantMessages(server, owner, id, 10_000)
  const page = await openChannel(owner, id)
  const log = page.getByRole('log', { name: 'Messages' })
  await messageWith(page, /Line 10000$/).waitFor()
  await sendMessage(other, id, 'Good morning')
  await messageWith(page, 'Good morning').waitFor()
  expect(await isAtEnd(page)).toBe(true)

  for (let round = 0; round < 6; round++) {
    const first = await firstRow(page)
    const [key, top] = await scrollUp(page)
    await expect.poll(() => firstRow(page)).not.toBe(first)
    expect(Math.abs((await topOf(page, key)) - top)).toBeLessThan(2)
  }
  // the page holds a part of the channel alone
  expect(await log.getByRole('article').count()).toBeLessThanOrEqual(240)
  const [key, top] = await lineUnderEye(page)
  await sendMessage(other, id, 'Still there?')
  await sendMessage(other, id, 'Hello?')
  await expect.poll(async () => Math.abs((await topOf(page, key)) - top)).toBeLessThan(2)
  await screenshot(page, 'chat', 'ten-thousand')
  await page.getByRole('button', { name: 'Go to the end' }).press('Enter')
  await messageWith(page, 'Hello?').waitFor()
  await expect.poll(() => isAtEnd(page)).toBe(true)
  await sendMessage(other, id, 'I see you')
  await messageWith(page, 'I see you').waitFor()
  await expect.poll(() => isAtEnd(page)).toBe(true)
})

const scroller = `document.querySelector('[role=log]')`
const visibleRow = `(() => {
  const frame = ${scroller}.getBoundingClientRect()
  const row = [...${scroller}.querySelectorAll('[data-message]')].find(one => one.getBoundingClientRect().top >= frame.top + 100)
  return [row.dataset.message, row.getBoundingClientRect().top]
})()`
const lineUnderEye = (page: Page) => page.evaluate(visibleRow) as Promise<[string, number]>
const firstRow = (page: Page) =>
  page.evaluate(`${scroller}.querySelector('[data-message]').dataset.message`) as Promise<string>
const topOf = (page: Page, key: string) =>
  page.evaluate(
    `${scroller}.querySelector('[data-message="${key}"]').getBoundingClientRect().top`,
  ) as Promise<number>
const isAtEnd = (page: Page) =>
  page.evaluate(
    `${scroller}.scrollHeight - ${scroller}.scrollTop - ${scroller}.clientHeight < 2`,
  ) as Promise<boolean>

/** Scrolls near to the beginning of what is loaded, so that older messages are read. The line under the eye, and where it is. */
async function scrollUp(page: Page): Promise<[string, number]> {
  return (await page.evaluate(`new Promise(done => {
    ${scroller}.scrollTop = 300
    const place = ${visibleRow}
    requestAnimationFrame(() => done(place))
  })`)) as [string, number]
}

test('a person reads what is new, leaves some of it unread, writes a draft and goes on with it elsewhere', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER', name: 'Olivia Ferrer' })
  const mei = await organization.person({
    name: 'Mei Lin',
    permissions: ['CHAT_USE', 'CHAT_CHANNELS_CREATE'],
  })
  const { id: quiet } = await createTestChannel(owner, { name: 'direction', memberIds: [mei.id] })
  const { id } = await createTestChannel(owner, { name: 'support', memberIds: [mei.id] })
  for (const line of ['One', 'Two', 'Three', `<@${mei.id}> four`]) await sendMessage(owner, id, line)
  const address = await addressOf(server, mei, `/channels/${quiet}`)
  const page = await dashboard.open(address, { person: mei })
  await page.getByRole('log', { name: 'Messages' }).waitFor()
  const list = page.getByRole('navigation', { name: 'Channels' })
  await list.getByRole('link', { name: /support.*mentions you.*4 unread messages/ }).waitFor()
  await expect.poll(() => page.title()).toBe('(4) #direction · Patio')
  await screenshot(page, 'chat', 'unread')
  await press(page, 'n')
  await seeHeading(page, '#support')
  await page.getByText('new', { exact: true }).waitFor()
  await page.getByText('You are done').waitFor()
  await expect.poll(() => page.title()).toBe('#support · Patio')

  await messageWith(page, 'Three').focus()
  await press(page, 'u')
  await list.getByRole('link', { name: /support.*2 unread messages/ }).waitFor()
  await screenshot(page, 'chat', 'marked-unread')
  expect(await axeFindings(page)).toEqual([])

  await press(page, 'm')
  await page.keyboard.type('Hello @oli')
  await page.getByRole('option', { name: 'Olivia Ferrer' }).waitFor()
  await press(page, 'Enter')
  await page.keyboard.type('wait')
  await expect
    .poll(async () => (await mei.call(readDraft, { params: { id } })).content)
    .toBe(`Hello <@${owner.id}> wait`)
  await list.getByRole('link', { name: /support.*unsent draft/ }).waitFor()
  const phone = await openChannel(mei, id, {
    width: 390,
    // when the person leaves in the other tab, this one learns it from the replies
    refusals: ['', '/applications', '/members'].map(part => `GET /api/chat/channels/${id}${part} 404`),
  })
  const field = phone.getByRole('textbox', { name: 'Write in #support' })
  await expect.poll(() => field.inputValue()).toBe('Hello @Olivia Ferrer wait')
  await field.focus()
  await press(phone, 'Enter')
  await messageWith(page, 'Hello @Olivia Ferrer wait').waitFor()
  await expect.poll(async () => (await mei.call(readDraft, { params: { id } })).content).toBe('')

  // the notifications that the person wants
  await page.getByRole('button', { name: 'Settings' }).press('Enter')
  const settings = page.getByRole('complementary', { name: 'Channel settings' })
  await settings.getByRole('radio', { name: 'Only those that mention me' }).focus()
  await press(page, 'Space')
  await expect
    .poll(
      async () =>
        (await mei.call(listOwnChannels, { query: {} })).items.find(one => one.id === id)?.notification,
    )
    .toBe('MENTIONS')
  await screenshot(page, 'chat', 'settings')
  expect(await settings.getByRole('button', { name: 'Archive…' }).count()).toBe(0)
  await settings.getByRole('button', { name: 'Leave the channel…' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave', exact: true }).press('Enter')
  await page.getByText('You left the channel.').waitFor()
  await expect.poll(() => new URL(page.url()).pathname.endsWith('/channels')).toBe(true)
  await list.getByRole('link', { name: 'support' }).waitFor({ state: 'detached' })
  await phone.getByText('The channel is gone, or you are no longer in it.').waitFor()
  await screenshot(phone, 'chat', 'left-elsewhere')
})

test('a person starts a channel with files, finds a message again in its context, and others join and see it archived', async () => {
  const { server } = dashboard
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER', name: 'Olivia Ferrer' })
  const amir = await organization.person({ name: 'Amir Benali', permissions: ['CHAT_USE'] })
  const page = await dashboard.open(await addressOf(server, owner, '/channels'), { person: owner })
  await page.getByText('You are not in a channel yet').waitFor()
  await press(page, 'c')
  const dialog = page.getByRole('dialog', { name: 'New conversation' })
  await dialog.getByRole('radio', { name: /^Channel/ }).focus()
  await press(page, 'Space')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('launch')
  await dialog.getByRole('checkbox', { name: /Show it in/ }).focus()
  await press(page, 'Space')
  await screenshot(page, 'chat', 'create')
  expect(await axeFindings(page)).toEqual([])
  await press(page, 'Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await seeHeading(page, '#launch')
  await page.getByText('The conversation begins here.').waitFor()

  await page.locator('input[type=file]').setInputFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Tuesday') },
    { name: 'pixel.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') },
  ])
  await page.getByRole('button', { name: 'Remove notes.txt' }).waitFor()
  await write(page, 'The plan for Tuesday')
  await messageWith(page, 'The plan for Tuesday')
    .getByRole('button', { name: 'Download notes.txt' })
    .waitFor()
  await expect
    .poll(() =>
      page
        .getByRole('button', { name: 'Open pixel.png' })
        .locator('img')
        .evaluate(image => (image as unknown as { naturalWidth: number }).naturalWidth),
    )
    .toBe(1)
  await page.getByRole('button', { name: 'Delete notes.txt' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Download notes.txt' }).waitFor({ state: 'detached' })
  await screenshot(page, 'chat', 'files')

  const his = await dashboard.open(await addressOf(server, amir, '/channels/directory'), { person: amir })
  await his.getByText('Their members see who joins.').waitFor()
  await screenshot(his, 'chat', 'directory')
  await his.getByRole('button', { name: 'Join: launch' }).press('Enter')
  await seeHeading(his, '#launch')
  await messageWith(his, 'The plan for Tuesday').waitFor()
  await write(his, 'Wednesday is safer')
  await page.getByText('2 people see this').waitFor()

  await press(page, 'Escape', '/')
  await seeHeading(page, 'Search messages')
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('wedn')
  const found = page.getByRole('link', { name: /Wednesday is safer/ })
  await found.waitFor()
  await screenshot(page, 'chat', 'search')
  await found.press('Enter')
  await page.locator('[data-highlighted]').getByText('Wednesday is safer').waitFor()
  await page.getByRole('link', { name: 'Back to the results' }).press('Enter')
  await found.waitFor()
  await found.press('Enter')
  await page.locator('[data-highlighted]').getByText('Wednesday is safer').waitFor()

  await page.getByRole('button', { name: 'Settings' }).press('Enter')
  await page.getByRole('button', { name: 'Archive…' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Archive', exact: true }).press('Enter')
  await his.getByText('It is archived: people can read it, not write in it.').waitFor()
  expect(await his.getByRole('textbox').count()).toBe(0)
  expect(await his.getByRole('button', { name: 'Unarchive the channel' }).count()).toBe(0)
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Unarchive the channel' }).first().press('Enter')
  await his.getByRole('textbox', { name: 'Write in #launch' }).waitFor()
})

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
