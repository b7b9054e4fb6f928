import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listBillingContacts, listClients, readClient } from '#contract/crm/clients.ts'
import { listContacts } from '#contract/crm/contacts.ts'
import { readIssuer } from '#contract/crm/issuer.ts'
import { readLetterhead, updateLetterhead } from '#contract/crm/letterhead.ts'
import { listPortalBudgets, openPortalSession } from '#contract/crm/portal.ts'
import { makeClient, makeContact } from '#tests/support/crm/leads-and-clients.ts'
import { plantPortalLink, plantSession } from '#tests/support/crm/portal.ts'
import {
  addressOf,
  axeFindings,
  openDashboard,
  screenshot,
  seeContent,
  seeHeading,
} from '#tests/support/dashboard.ts'
import { firstOf } from '#tests/support/elements.ts'
import { makePng } from '#tests/support/pictures.ts'

const dashboard = openDashboard()

/** Presses keys as a person does, one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** Types into the field that has the focus, and goes to the next one. */
async function fill(page: Page, ...values: string[]): Promise<void> {
  for (const value of values) {
    await page.keyboard.type(value)
    await press(page, 'Tab')
  }
}

test('a client is created, found, given people and archived with keys alone', async () => {
  const person = await (await dashboard.server.organization()).person({ role: 'OWNER' })
  await makeClient(person, { name: 'Taller Norte' })
  const page = await dashboard.open(await addressOf(dashboard.server, person, '/clients'), { person })
  await page.getByRole('row', { name: 'Taller Norte' }).waitFor()

  await press(page, 'c')
  const dialog = page.getByRole('dialog', { name: 'New client' })
  await dialog.waitFor()
  await page.keyboard.type('Vitrina')
  // what is typed comes back after the dialog was closed
  await press(page, 'Escape')
  await dialog.waitFor({ state: 'detached' })
  await press(page, 'c')
  await dialog.getByText('What you typed and did not save is still here').waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Vitrina')
  await dialog.getByLabel('Name').press('Tab')
  await fill(page, 'B12345678', '600 123 456', 'hola@vitrina.example', 'Calle Mayor 1', '28013', 'Madrid')
  await page.keyboard.type('Spai')
  await page.getByRole('option', { name: 'Spain' }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await dialog.getByRole('button', { name: 'Create client' }).press('Enter')

  // the new client opens beside the list
  const sheet = page.getByRole('complementary', { name: 'Vitrina' })
  await sheet.getByText('Calle Mayor 1').waitFor()
  const { items } = await person.call(listClients, { query: { search: 'vitrina' } })
  expect(items).toMatchObject([{ name: 'Vitrina', taxId: 'B12345678', city: 'Madrid', country: 'ES' }])
  const { id } = firstOf(items)

  await sheet.getByRole('button', { name: 'Add a person…' }).press('Enter')
  const person1 = page.getByRole('dialog', { name: 'New contact of Vitrina' })
  await person1.waitFor()
  await fill(page, 'Sara', 'Vidal', 'sara@vitrina.example')
  await person1.getByRole('button', { name: 'Create contact' }).press('Enter')
  await sheet.getByRole('link', { name: 'Sara Vidal' }).waitFor()
  await sheet.getByRole('button', { name: 'Add…', exact: true }).press('Enter')
  const billing = page.getByRole('dialog', { name: 'Billing contact of Vitrina' })
  await billing.waitFor()
  await fill(page, 'Accounts', 'accounts@vitrina.example')
  await billing.getByRole('button', { name: 'Add contact' }).press('Enter')
  await sheet.getByText('accounts@vitrina.example').waitFor()
  const { items: billed } = await person.call(listBillingContacts, { params: { id } })
  expect(billed).toMatchObject([{ name: 'Accounts', isMain: true, isActive: true }])
  await screenshot(page, 'clients', 'sheet')

  await press(page, 'Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: 'Vitrina' }).press('o')
  await seeHeading(page, 'Vitrina')
  await page.getByRole('link', { name: 'Sara Vidal' }).waitFor()
  await page.getByRole('main').getByRole('button', { name: 'Actions', exact: true }).press('Enter')
  await page.getByRole('menuitem').and(page.locator(':focus')).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Archive Vitrina?' })
  await question.getByRole('button', { name: 'Archive client' }).press('Enter')
  await page.getByText('This client is archived').waitFor()
  expect((await person.call(readClient, { params: { id } })).archivedAt).not.toBeNull()
  expect(await page.getByRole('button', { name: 'Add a person…' }).count()).toBe(0)
})

test('a contact loses the portal sessions only after a question, and a changed e-mail says what it ends', async () => {
  const person = await (await dashboard.server.organization()).person({ role: 'OWNER' })
  const client = await makeClient(person, { name: 'Ateliernord' })
  await makeContact(person, {
    firstName: 'Maud',
    lastName: 'Lenoir',
    email: 'maud@ateliernord.example',
    clientId: client.id,
  })
  const page = await dashboard.open(await addressOf(dashboard.server, person, '/contacts'), {
    person,
    language: 'es',
  })
  await page.getByRole('row', { name: 'Maud Lenoir' }).press('Enter')
  const sheet = page.getByRole('complementary', { name: 'Maud Lenoir' })
  await sheet.getByRole('link', { name: 'Ateliernord', exact: true }).waitFor()
  await sheet.getByText('Puede pedir un enlace para entrar').waitFor()
  await sheet.getByRole('button', { name: 'Acciones' }).press('Enter')
  await page.getByRole('menuitem').and(page.locator(':focus')).press('Enter')
  const question = page.getByRole('alertdialog', {
    name: '¿Cerrar las sesiones de Maud Lenoir en el portal?',
  })
  await screenshot(page, 'clients', 'end-sessions')
  await question.getByRole('button', { name: 'Cerrar sesiones' }).press('Enter')
  await page.getByText('No tenía sesiones abiertas.').waitFor()

  await press(page, 'e')
  const dialog = page.getByRole('dialog', { name: 'Editar Maud Lenoir' })
  const email = dialog.getByRole('textbox', { name: 'Correo' })
  expect(await dialog.getByRole('combobox', { name: 'Cliente' }).inputValue()).toBe('Ateliernord')
  await email.fill('maud@nord.example')
  await dialog.getByText('Al guardar, sus sesiones del portal terminan al instante.').waitFor()
  await email.press('Enter')
  await sheet.getByRole('link', { name: 'maud@nord.example' }).waitFor()
  const { items } = await person.call(listContacts, { query: { clientId: client.id } })
  expect(items).toMatchObject([{ firstName: 'Maud', email: 'maud@nord.example', clientId: client.id }])
})

test('a client is chosen by keys that are faster than the reply of the search', async () => {
  const person = await (await dashboard.server.organization()).person({ role: 'OWNER' })
  await makeClient(person, { name: 'Taller Norte' })
  const vitrina = await makeClient(person, { name: 'Vitrina' })
  const page = await dashboard.open(await addressOf(dashboard.server, person, '/contacts'), { person })
  await page.getByRole('button', { name: 'New contact' }).first().waitFor()
  await press(page, 'c')
  const dialog = page.getByRole('dialog', { name: 'New contact' })
  await dialog.waitFor()
  await fill(page, 'Sara', 'Vidal', 'sara@vitrina.example')
  const field = dialog.getByRole('combobox', { name: 'Client' })
  await field.focus()
  await page.getByRole('option', { name: 'Taller Norte' }).waitFor()

  const reply = Promise.withResolvers<void>()
  await page.route(/search=v/i, async route => {
    await reply.promise
    await route.continue()
  })
  await page.keyboard.type('vitrina')
  await press(page, 'ArrowDown', 'Enter')
  // the options of the reply before stay, and none of them is chosen
  await page.getByRole('option', { name: 'Taller Norte' }).waitFor()
  expect(await field.inputValue()).toBe('vitrina')
  reply.resolve()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('Vitrina')
  // a text that was not chosen does not stay
  await field.fill('Tal')
  await dialog.getByLabel('First name').click()
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('Vitrina')
  await dialog.getByRole('button', { name: 'Create contact' }).press('Enter')
  await page.getByRole('row', { name: 'Sara Vidal' }).waitFor()
  const { items } = await person.call(listContacts, { query: { clientId: vitrina.id } })
  expect(items).toMatchObject([{ firstName: 'Sara' }])
})

test('a client that is chosen by keys stays chosen when the person moves on before the reply of the search', async () => {
  const person = await (await dashboard.server.organization()).person({ role: 'OWNER' })
  await makeClient(person, { name: 'Taller Norte' })
  await makeClient(person, { name: 'Vitrina' })
  const page = await dashboard.open(await addressOf(dashboard.server, person, '/contacts'), { person })
  await page.getByRole('button', { name: 'New contact' }).first().waitFor()
  await press(page, 'c')
  const dialog = page.getByRole('dialog', { name: 'New contact' })
  const field = dialog.getByRole('combobox', { name: 'Client' })
  const first = dialog.getByLabel('First name')
  let reply = Promise.withResolvers<void>()
  await page.route(/search=/i, async route => {
    await reply.promise
    await route.continue()
  })
  for (const [typed, name] of [
    ['vitr', 'Vitrina'],
    // a text that finds nobody leaves the choice as it was
    ['zzz', 'Vitrina'],
    ['taller', 'Taller Norte'],
  ] as const) {
    reply = Promise.withResolvers<void>()
    await field.fill(typed)
    await press(page, 'ArrowDown', 'Enter')
    await first.focus()
    expect(await field.inputValue()).toBe(typed)
    reply.resolve()
    await expect.poll(() => field.inputValue()).toBe(name)
    await page.locator(':focus').and(first).waitFor()
  }
})

test('an organization without an issuer reads what it cannot do, and sets one', async () => {
  const person = await (await dashboard.server.organization()).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(dashboard.server, person, '/settings/issuer'), { person })
  await page.getByText('There is no issuer: no invoice can be issued.').waitFor()
  const form = page.getByRole('form', { name: 'Issuer' })
  await form.getByLabel('Legal name').focus()
  await fill(page, 'Acme Studio SL', 'B87654321', 'Calle Mayor 1', '28013', 'Madrid')
  await page.keyboard.type('Spain')
  await press(page, 'ArrowDown', 'Enter')
  await form.getByRole('button', { name: 'Save issuer' }).press('Enter')
  await page.getByText('There is no issuer').waitFor({ state: 'detached' })
  expect((await person.call(readIssuer)).issuer).toMatchObject({
    legalName: 'Acme Studio SL',
    country: 'ES',
    currency: 'eur',
    email: null,
  })

  await page.getByRole('link', { name: 'CRM' }).press('Enter')
  await seeHeading(page, 'CRM')
  await seeContent(page)
  expect(await page.getByRole('combobox', { name: 'Country' }).inputValue()).toBe('Spain')
  await page.getByText(`/portal/sign-in/${person.organizationId}`).waitFor()
})

test('a letterhead gets a logo, a colour that is dark enough, and a bank account; others see it only', async () => {
  const organization = await dashboard.server.organization()
  const person = await organization.person({ role: 'OWNER' })
  const address = await addressOf(dashboard.server, person, '/settings/issuer')
  const page = await dashboard.open(address, {
    person,
    language: 'es',
    refusals: ['PUT /api/crm/letterhead/logo 400', 'PUT /api/crm/letterhead 400'],
  })
  const preview = page.getByRole('figure', { name: 'Vista previa de una factura' })
  await preview.waitFor()
  const chooser = page.locator('input[type=file]')
  await chooser.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page.getByText('No es un PNG sin entrelazar ni un JPEG').waitFor()
  await chooser.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: makePng(40, 20) })
  await page.getByText('Logotipo guardado.').waitFor()
  await preview.getByRole('img').waitFor()

  const form = page.getByRole('form', { name: 'Membrete' })
  await form.getByLabel('Color', { exact: true }).fill('#FFEE00')
  await form.getByLabel('IBAN').focus()
  await fill(page, 'es9121000418450200051332', 'CAIXESBB')
  await preview.getByText('ES91 2100 0418 4502 0005 1332').waitFor()
  // somebody else saves another field meanwhile
  const others = { accentColor: null, accountHolder: 'Acme Studio SL', iban: null, bic: null, footer: null }
  await person.call(updateLetterhead, { body: others })
  await form.getByLabel('BIC').press('Control+Enter')
  await form.getByText('hace falta un contraste de 4,5 a 1').waitFor()
  await screenshot(page, 'clients', 'letterhead')
  await form.getByLabel('Color', { exact: true }).fill('#1F5F3A')
  await form.getByLabel('BIC').press('Control+Enter')
  await page.getByText('Membrete guardado.').waitFor()
  expect(await form.getByLabel('Titular de la cuenta').inputValue()).toBe('Acme Studio SL')
  expect(await person.call(readLetterhead)).toMatchObject({
    accentColor: '#1f5f3a',
    accountHolder: 'Acme Studio SL',
    iban: 'ES9121000418450200051332',
    bic: 'CAIXESBB',
    logo: { contentType: 'image/png' },
  })

  const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
  const seen = await dashboard.open(address, { person: viewer })
  await seen.getByRole('figure').getByText('ES91 2100 0418 4502 0005 1332').waitFor()
  expect(await seen.getByRole('button', { name: 'Save letterhead' }).count()).toBe(0)

  await page.getByRole('button', { name: 'Quitar logotipo' }).press('Enter')
  const question = page.getByRole('alertdialog', { name: '¿Quitar el logotipo?' })
  await question.getByRole('button', { name: 'Quitar logotipo' }).press('Enter')
  await page.getByText('Logotipo quitado.').waitFor()
  expect((await person.call(readLetterhead)).logo).toBeNull()
})

test('clients are imported from a file by keyboard; a repeated one is refused', async () => {
  const { server } = dashboard
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(server, owner, '/clients'), { person: owner })
  await page.getByRole('button', { name: 'More actions' }).first().press('Enter')
  await page.getByRole('menuitem', { name: 'Import clients…' }).press('Enter')
  await seeHeading(page, 'Import clients')
  const text = 'Razón social;NIF;País\nÁnimas;B1;España\nanimas;b1;España\n'
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('cell', { name: 'Name repeats a client' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Import 1 client' }).press('Enter')
  const sheet = page.getByRole('complementary', { name: 'clients.csv' })
  await sheet.getByText('Done', { exact: true }).waitFor()
  const { items } = await owner.call(listClients, { query: {} })
  expect(items).toMatchObject([{ name: 'Ánimas', taxId: 'B1', country: 'ES' }])
})

test('the page of a client shows who is in the portal, as it happens, and ends one session or all', async () => {
  const { server } = dashboard
  const person = await (await server.organization()).person({ role: 'OWNER' })
  const client = await makeClient(person, { name: 'Ateliernord' })
  const { id: contactId } = await makeContact(person, {
    firstName: 'Maud',
    email: 'maud@ateliernord.example',
    clientId: client.id,
  })
  const token = await plantSession(server, person, contactId)
  const page = await dashboard.open(await addressOf(server, person, `/clients/${client.id}`), { person })
  const section = page.getByRole('region', { name: 'Portal sessions' })
  await section.getByText('Signed in').waitFor()
  // the customer requests a link and uses it
  const mailed = await plantPortalLink(server, person, contactId)
  await server.client().call(openPortalSession, { body: { token: mailed } })
  await section.getByText('from 127.0.0.x').waitFor()
  await screenshot(page, 'clients', 'portal-sessions')
  expect(await axeFindings(page)).toEqual([])

  await section.getByRole('button', { name: 'End this session of Maud' }).first().press('Enter')
  await page.getByText('Session ended.').waitFor()
  await section.getByText('from 127.0.0.x').waitFor({ state: 'detached' })
  await section.getByRole('button', { name: 'End all…' }).press('Enter')
  const question = page.getByRole('alertdialog', { name: 'End all portal sessions of Ateliernord?' })
  await question.getByRole('button', { name: 'End sessions' }).press('Enter')
  await page.getByText('1 session ended.').waitFor()
  await section.getByText('Nobody is signed in to the portal').waitFor()
  expect((await server.client(token).send(listPortalBudgets)).status).toBe(401)
})

test('the greeting of the portal is written in the settings, and its visitors read it', async () => {
  const { server } = dashboard
  const person = await (await server.organization()).person({ role: 'OWNER' })
  const page = await dashboard.open(await addressOf(server, person, '/settings/crm'), { person })
  const form = page.getByRole('form', { name: 'Greeting of the portal' })
  await form.getByLabel('Greeting in Spanish').fill('Bienvenida a tu portal')
  await form.getByLabel('Greeting in English').fill('Welcome to your portal')
  await screenshot(page, 'clients', 'portal-greeting')
  await form.getByRole('button', { name: 'Save greeting' }).press('Enter')
  await page.getByText('Greeting saved.').waitFor()
  await page.goto(`/portal/sign-in/${person.organizationId}`)
  await page.getByText('Welcome to your portal').waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await screenshot(page, 'clients', 'portal-sign-in')
})
