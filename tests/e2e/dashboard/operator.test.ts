import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import {
  addOperator,
  findPeople,
  getOperatedOrganization,
  listOrganizations,
} from '#contract/identity/operator.ts'
import { readApplication } from '#contract/integrations/applications.ts'
import { listScopeRequests, requestCriticalScopes } from '#contract/integrations/critical-scopes.ts'
import { newId } from '#platform/ids.ts'
import { insertMail } from '#platform/jobs/mail-queue.sql.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { mailsTo } from '#tests/support/outbox.ts'
import type { Organization, Person } from '#tests/support/test-server.ts'

const dashboard = openDashboard()
const purpose = 'The shop charges subscriptions on the first day of the month.'
let operator: Person
let organization: Organization
let owner: Person
beforeAll(async () => {
  const { server } = dashboard
  operator = await server.operator()
  organization = await server.organization({ name: 'Borealis', plan: 'ENTERPRISE' })
  owner = await organization.person({ role: 'OWNER', name: 'Freya Lindqvist' })
})

test('an operator creates an organization, invites its owner, and takes parts of a plan away knowing who uses them', async () => {
  const { server } = dashboard
  await makeApplication(server, organization, { name: 'Website', scopes: ['crm:leads:write'] })
  await makeApplication(server, organization, { name: 'Back office', scopes: ['studio:assets:read'] })
  const page = await dashboard.open('/operator', { person: operator })
  await seeHeading(page, 'Operator')
  await page.keyboard.press('g')
  await page.keyboard.press('x')
  await page.getByRole('link', { name: 'Organizations', exact: true }).first().press('Enter')
  await seeHeading(page, 'Organizations')
  await page.getByRole('row', { name: /Borealis/ }).waitFor()
  await page.keyboard.press('c')
  await page.getByLabel('Name', { exact: true }).waitFor()
  await page.keyboard.type('Vitrina')
  await page.getByLabel('E-mail of the owner').focus()
  await page.keyboard.type('sara@vitrina.test')
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'operator', 'create')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { level: 2, name: 'Vitrina' }).waitFor()
  const { items } = await operator.call(listOrganizations, { query: { search: 'vitrina' } })
  expect(items).toMatchObject([{ name: 'Vitrina', plan: 'FREE' }])
  expect(mailsTo(server, 'sara@vitrina.test')).toHaveLength(1)
  await page.getByRole('complementary').getByRole('button', { name: 'Actions' }).press('Enter')
  await page.getByRole('menuitem', { name: /Invite an owner/ }).press('Enter')
  const invite = page.getByRole('dialog', { name: 'Invite an owner of Vitrina' })
  await invite.getByLabel('E-mail of the owner').fill('luis@vitrina.test')
  await page.keyboard.press('Control+Enter')
  await invite.waitFor({ state: 'detached' })
  expect(mailsTo(server, 'luis@vitrina.test')).toHaveLength(1)

  await page.getByRole('searchbox', { name: 'Search by name' }).fill('bore')
  await page.getByRole('row', { name: /Vitrina/ }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Borealis/ }).press('o')
  await seeHeading(page, 'Borealis')
  await page.getByText('Website').waitFor()
  await screenshot(page, 'operator', 'organization')
  await page.keyboard.press('e')
  const plan = page.getByRole('dialog', { name: 'Plan of Borealis' })
  await choose(page, plan.getByRole('button', { name: /^Enterprise Plan|Plan/ }).first(), 'Team')
  await plan.getByText('1 active application uses it: Website').waitFor()
  await screenshot(page, 'operator', 'plan')
  await plan.getByText('Exceptions from the plan').press('Enter')
  await choose(page, plan.getByRole('button', { name: /Exception for Finance/ }), 'Add')
  await plan.getByRole('button', { name: 'Change and remove 3 parts' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'operator', 'plan-exceptions')
  await page.setViewportSize({ width: 390, height: 844 })
  await screenshot(page, 'operator', 'plan-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await plan.getByRole('button', { name: 'Change and remove 3 parts' }).press('Enter')
  await plan.waitFor({ state: 'detached' })
  expect(await operator.call(getOperatedOrganization, { params: { id: organization.id } })).toMatchObject({
    plan: 'TEAM',
    modulesAdded: ['finance'],
    modulesRemoved: [],
  })
})

test('an operator answers a scope request and locks a person', async () => {
  const { server } = dashboard
  const shop = await makeApplication(server, organization, { name: 'Shop', principal: owner })
  const params = { id: shop.id }
  await owner.call(requestCriticalScopes, { params, body: { scopes: ['billing:charge'], purpose } })
  const page = await dashboard.open('/operator', { person: operator, language: 'es', theme: 'dark' })
  await page.getByRole('link', { name: /1 petición de permiso crítico/ }).press('Enter')
  await seeHeading(page, 'Permisos críticos')
  await page.getByRole('row', { name: /billing:charge/ }).press('Enter')
  await page.getByRole('complementary').getByText(purpose).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'operator', 'scope')
  await page.getByRole('complementary').getByRole('button', { name: 'Conceder' }).press('Enter')
  const answer = page.getByRole('dialog', { name: 'Conceder billing:charge' })
  await answer.getByLabel('Motivo').fill('El contrato de cobros está firmado.')
  await page.keyboard.press('Control+Enter')
  await answer.waitFor({ state: 'detached' })
  await page.getByText('No hay peticiones abiertas').waitFor()
  expect((await owner.call(listScopeRequests, { params })).items).toMatchObject([
    { status: 'GRANTED', answer: 'El contrato de cobros está firmado.' },
  ])
  expect((await owner.call(readApplication, { params })).scopes).toContain('billing:charge')

  const person = await organization.person({ name: 'Jonas Weber', email: 'jonas@borealis.test' })
  await page.getByRole('link', { name: 'Personas', exact: true }).press('Enter')
  await seeHeading(page, 'Personas')
  await page.getByLabel('Correo').fill(person.email)
  await page.getByLabel('Correo').press('Enter')
  await page.getByRole('heading', { level: 2, name: 'Jonas Weber' }).waitFor()
  await page.getByRole('button', { name: 'Bloquear…' }).press('Enter')
  const lock = page.getByRole('alertdialog', { name: '¿Bloquear a Jonas Weber?' })
  await lock.getByLabel('Motivo').fill('Se fue de la empresa.')
  await screenshot(page, 'operator', 'lock')
  await page.keyboard.press('Control+Enter')
  await lock.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Desbloquear' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  const found = async () => (await operator.call(findPeople, { query: { email: person.email } })).items
  expect(await found()).toMatchObject([{ lockedReason: 'Se fue de la empresa.' }])
  await page.getByRole('button', { name: 'Desbloquear' }).press('Enter')
  await page.getByRole('button', { name: 'Bloquear…' }).waitFor()
  expect(await found()).toMatchObject([{ lockedAt: null }])
})

test('health follows a mail that cannot be sent, and says what to do', async () => {
  const { server } = dashboard
  const page = await dashboard.open('/operator/health', { person: operator })
  await seeHeading(page, 'Health')
  await page.getByText('Everything works.').waitFor()
  const id = newId()
  await server.api.services.database.transact(organization.id, tx =>
    insertMail(tx, { id, kind: 'of-no-area', data: {}, attempts: 0 }),
  )
  await page.getByText('1 queued mail, 1 with a failed attempt').waitFor()
  await page.getByText('1 part needs attention: Mail queue.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'operator', 'health')
  await page.setViewportSize({ width: 390, height: 844 })
  await screenshot(page, 'operator', 'health-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: 'See the mails' }).first().press('Enter')
  await seeHeading(page, 'Mails')
  await page.getByRole('row', { name: /of-no-area/ }).press('Enter')
  await page.getByRole('complementary').getByText('What to do').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'operator', 'mails')
  await page.goto('/operator/mails?state=REFUSED')
  await page.getByText('No mail fits.').waitFor()
  await page.getByRole('button', { name: 'Clear the filters' }).press('Enter')
  await page.getByRole('row', { name: /of-no-area/ }).waitFor()
})

test('operators open their screens from any organization, others find nothing there', async () => {
  const { server } = dashboard
  const person = await organization.person({ name: 'Mei Tanaka' })
  const address = await addressOf(server, person)
  const page = await dashboard.open(address, { person })
  await seeHeading(page, 'Home')
  await page.goto('/operator/organizations')
  await page.getByText('Not here, or not for you').waitFor()
  expect(await page.getByRole('link', { name: 'Operator' }).count()).toBe(0)
  await operator.call(addOperator, { body: { email: person.email } })
  await page.goto('/operator/operators')
  await seeHeading(page, 'Operators')
  await page.getByText('Mei Tanaka (you)').waitFor()
  await screenshot(page, 'operator', 'operators')
})

/** Opens a drop-down list and chooses an entry, by the keyboard. */
async function choose(page: Page, button: ReturnType<Page['getByRole']>, entry: string): Promise<void> {
  await button.press('Enter')
  const option = page.getByRole('option', { name: new RegExp(`^${entry}\\b`) })
  await option.press('Enter')
  await option.waitFor({ state: 'detached' })
}
