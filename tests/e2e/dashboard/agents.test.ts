import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { readAgent, readAgentBudget } from '#contract/chat/agents.ts'
import { listGrants } from '#contract/chat/grants.ts'
import { addChannelMember, listChannelMembers } from '#contract/chat/members.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { propose, reportExecution } from '#tests/support/chat/agents.ts'
import { createTestChannel, insertTestGrant, sendMessage } from '#tests/support/chat/chat.ts'
import { addressOf, axeFindings, openDashboard, screenshot, seeHeading } from '#tests/support/dashboard.ts'
import { firstOf } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import type { Organization, Person } from '#tests/support/test-server.ts'

const dashboard = openDashboard()
let organization: Organization
let owner: Person
let application: TestApplication
beforeAll(async () => {
  const { server } = dashboard
  organization = await server.organization({ name: 'Acme Studio' })
  owner = await organization.person({ role: 'OWNER', name: 'Miren Aguirre' })
  application = await makeApplication(server, organization, {
    name: 'Support desk',
    principal: owner,
    scopes: ['chat:messages:view', 'chat:messages:send', 'chat:agents:manage', 'chat:members:manage'],
  })
})

/** Presses keys as a person does, one after the other. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

const phone = { width: 390, height: 844 }
const wide = { width: 1440, height: 900 }

test('by keyboard, people join a channel and change their role, and an application gets access that says what it sees', async () => {
  const { server } = dashboard
  const people = await Promise.all(
    ['Amir Benali', 'Mei Lin', 'Bo Lindqvist', 'Olivia Ferrer'].map(name => organization.person({ name })),
  )
  const [amir, mei, bo] = people as [Person, Person, Person]
  const { id } = await createTestChannel(owner, {
    name: 'Support',
    description: 'Questions of customers',
    memberIds: [amir.id, mei.id],
  })
  await sendMessage(amir, id, 'Where is order 4711? The customer paid on Friday.')
  await sendMessage(mei, id, {
    content: 'They asked twice, call them before you answer.',
    visibility: 'INTERNAL',
  })
  const page = await dashboard.open(await addressOf(server, owner, `/channels/${id}/people`), {
    person: owner,
  })
  await seeHeading(page, 'Support')
  await page.getByRole('listitem').filter({ hasText: 'Amir Benali' }).waitFor()

  await press(page, 'm')
  await page.keyboard.type('lindq')
  await page.getByRole('option', { name: 'Bo Lindqvist' }).waitFor()
  await screenshot(page, 'agents', 'people-add')
  await press(page, 'ArrowDown', 'Enter')
  await page.getByText('Bo Lindqvist is in the channel.').waitFor()
  // the field offers the next person; the open list hides the rest of the page from screen readers
  await page.getByRole('option', { name: 'Olivia Ferrer' }).waitFor()
  await press(page, 'Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  const row = page.getByRole('listitem').filter({ hasText: 'Bo Lindqvist' })
  await row.getByText('Member').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await row.getByRole('button', { name: 'Actions: Bo Lindqvist' }).press('Enter')
  const entry = page.getByRole('menuitemradio', { name: 'Administrator' })
  await screenshot(page, 'agents', 'people-menu')
  await entry.press('Enter')
  await row.getByText('Administrator').waitFor()
  // the only owner stays
  await page.getByRole('button', { name: 'Actions: Miren Aguirre' }).press('Enter')
  expect(await page.getByRole('menuitemradio', { name: 'Member' }).getAttribute('aria-disabled')).toBe('true')
  await press(page, 'Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Actions: Mei Lin' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Remove from the channel…' }).press('Enter')
  await screenshot(page, 'agents', 'people-remove')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter')
  await page.getByRole('listitem').filter({ hasText: 'Mei Lin' }).waitFor({ state: 'detached' })
  await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  await screenshot(page, 'agents', 'people')
  const { items } = await owner.call(listChannelMembers, { params: { id } })
  expect(items.map(member => [member.id, member.role])).toEqual([
    [owner.id, 'OWNER'],
    [bo.id, 'ADMIN'],
    [amir.id, 'MEMBER'],
  ])

  await page.getByRole('link', { name: 'Applications' }).last().press('Enter')
  await page.getByText('No application sees this channel').waitFor()
  await screenshot(page, 'agents', 'applications-empty')
  await page.getByRole('button', { name: 'Give access…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Give access to Support' })
  await dialog.getByRole('combobox', { name: 'Application' }).fill('supp')
  await page.getByRole('option', { name: 'Support desk' }).waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await dialog.getByRole('checkbox', { name: 'Manages the people' }).press('Space')
  await screenshot(page, 'agents', 'applications-give')
  await press(page, 'Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'What Support desk sees and does here' }).waitFor()
  await page.getByText('Where is order 4711?').waitFor()
  await page.getByText('They asked twice').waitFor()
  await page.getByText('Receives no events of this channel, the application lacks the scope').waitFor()
  await page.getByRole('button', { name: 'Show the history' }).press('Enter')
  await page.getByText('Miren Aguirre gave access to Support desk').waitFor()
  await screenshot(page, 'agents', 'applications')
  await page.setViewportSize(phone)
  await screenshot(page, 'agents', 'applications-phone')
})

test('an application proposes an agent, a person approves it with a cap, it works until the cap, which is then raised', async () => {
  const { server } = dashboard
  const { id: channelId } = await createTestChannel(owner, { name: 'Soporte' })
  const fixture = { source: application, channelId }
  await insertTestGrant(server, channelId, application, owner)
  const page = await dashboard.open(await addressOf(server, owner, '/agents'), {
    person: owner,
    language: 'es',
  })
  await seeHeading(page, 'Agentes')
  await page.getByText('Ninguna aplicación ha propuesto agentes').waitFor()
  await propose(fixture, { name: 'Ofertas', purpose: 'Escribe a todos los clientes', tasks: [] })
  const agent = await propose(fixture, {
    name: 'Resumen diario',
    purpose: 'Resume las preguntas del día anterior para quienes no estaban.',
    tasks: [
      { name: 'Resumen', schedule: '0 9 * * 1-5', timeZone: 'Europe/Madrid' },
      { name: 'Repaso', schedule: '*/30 9-17 * * *', timeZone: 'America/New_York' },
    ],
  })
  // both appear by themselves
  const row = page.getByRole('row', { name: 'Resumen diario' })
  await row.getByText('Espera aprobación').waitFor()
  await row.getByText('De lunes a viernes a las 9:00 +1').waitFor()
  await row.press('Enter')
  const sheet = page.getByRole('complementary', { name: 'Resumen diario' })
  await sheet.getByText('caduca en 14 días').waitFor()
  await sheet.getByText('Cada 30 minutos, de 9:00 a 17:30, hora de New York').waitFor()
  const times = sheet.getByRole('list', { name: 'Próximas veces: Resumen' })
  expect(await times.getByRole('listitem').count()).toBe(5)
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'agents', 'proposal')
  await press(page, 'a')
  const dialog = page.getByRole('dialog', { name: 'Aprobar Resumen diario' })
  await dialog.getByLabel('Límite al mes').fill('1,00')
  await screenshot(page, 'agents', 'approve')
  await press(page, 'Control+Enter')
  await dialog.waitFor({ state: 'detached' })
  await sheet.getByText('Activo').waitFor()
  await sheet.getByText('0,00 de 1,00').waitFor()

  const summary = 'Tres preguntas de ayer, dos ya contestadas.'
  for (const costMicros of [600_000, 41_250])
    await reportExecution(application, agent.id, { costMicros, summary, taskId: firstOf(agent.tasks).id })
  await reportExecution(application, agent.id, {
    status: 'FAILED',
    costMicros: 500_000,
    summary: 'Sin respuesta.',
  })
  await sheet.getByText('En pausa por el límite').waitFor()
  await sheet.getByText('han gastado 1,1413 de 1,00 este mes').waitFor()
  await sheet.getByText('Sin respuesta.').waitFor()
  await screenshot(page, 'agents', 'capped')
  await sheet.getByRole('button', { name: 'Subir el límite…' }).press('Enter')
  const budget = page.getByRole('dialog', { name: 'Límite mensual de Support desk' })
  await budget.getByLabel('Límite al mes').fill('20')
  await budget.getByText('siguen en cuanto guardes').waitFor()
  await screenshot(page, 'agents', 'raise')
  await press(page, 'Control+Enter')
  await budget.waitFor({ state: 'detached' })
  await sheet.getByText('1,1413 de 20,00').waitFor()
  await sheet.getByText('Activo').waitFor()
  expect(await owner.call(readAgentBudget, { params: { applicationId: application.id } })).toMatchObject({
    capMicros: 20_000_000,
    isExceeded: false,
  })
  await press(page, 'p')
  await sheet.getByText('Alguien lo pausó').waitFor()
  await press(page, 'p')
  await sheet.getByText('Activo').waitFor()
  await screenshot(page, 'agents', 'active')
  await page.setViewportSize(phone)
  await screenshot(page, 'agents', 'active-phone')
  await press(page, 'Escape')
  await sheet.waitFor({ state: 'detached' })
  await screenshot(page, 'agents', 'list-phone')

  await page.getByRole('row', { name: 'Ofertas' }).press('Enter')
  await page.getByRole('complementary', { name: 'Ofertas' }).getByText('Sin horario').waitFor()
  await press(page, 'r')
  const reject = page.getByRole('dialog', { name: 'Rechazar Ofertas' })
  await reject.getByLabel('Motivo').fill('Nadie lo ha pedido')
  await screenshot(page, 'agents', 'reject-phone')
  await press(page, 'Control+Enter')
  await reject.waitFor({ state: 'detached' })
  await page.getByText('Nadie lo ha pedido').waitFor()
  await page.setViewportSize(wide)
  expect(await owner.call(readAgent, { params: { agentId: agent.id } })).toMatchObject({ status: 'ACTIVE' })
  await screenshot(page, 'agents', 'rejected')
})

test('an administrator finds a channel without an owner, joins it after reading that it is seen, and repairs a grant', async () => {
  const { server } = dashboard
  const leaving = await organization.person({ role: 'OWNER', name: 'Jon Etxebarria' })
  const stays = await organization.person({ name: 'Sara Vidal' })
  const { id } = await createTestChannel(leaving, { name: 'Zona norte', memberIds: [stays.id] })
  await insertTestGrant(server, id, application, leaving)
  for (const name of ['Almacén', 'Dirección', 'Lanzamiento']) await createTestChannel(stays, { name })
  await owner.call(removeMember, { params: { personId: leaving.id } })
  const page = await dashboard.open(await addressOf(server, owner, '/channels/governed'), {
    person: owner,
    language: 'es',
    theme: 'dark',
  })
  await seeHeading(page, 'Todos los canales')
  const first = page.getByRole('row').nth(1)
  await first.getByText('Zona norte').waitFor()
  await first.getByText('Sin propietario').waitFor()
  await screenshot(page, 'agents', 'governed')
  await first.press('Enter')
  const sheet = page.getByRole('complementary', { name: 'Zona norte' })
  await sheet.getByText('El canal no tiene propietario').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'agents', 'governed-sheet')
  await sheet.getByRole('button', { name: 'Acciones: Sara Vidal' }).press('Enter')
  await page.getByRole('menuitemradio', { name: 'Propietario' }).press('Enter')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await sheet.getByText('El canal no tiene propietario').waitFor({ state: 'detached' })
  await sheet.getByRole('button', { name: 'Agentes' }).press('Enter')
  const panel = page.getByRole('complementary', { name: 'Agentes' })
  await panel.getByText('Ninguna aplicación ha propuesto agentes en este canal').waitFor()
  await press(page, 'Escape')
  await panel.waitFor({ state: 'detached' })
  await sheet.getByRole('link', { name: 'Abrir como página' }).press('Enter')
  await page.getByRole('main').getByRole('link', { name: 'Aplicaciones' }).press('Enter')
  await page.getByText('Actúa en nombre de Jon Etxebarria, que ha dejado la organización').waitFor()
  await page.getByText('Entra antes en el canal').waitFor()
  await screenshot(page, 'agents', 'repair')
  await page.getByRole('button', { name: 'Entrar…' }).press('Enter')
  const dialog = page.getByRole('alertdialog', { name: '¿Entrar en Zona norte?' })
  await dialog.getByText('1 persona del canal verá que has entrado').waitFor()
  await screenshot(page, 'agents', 'join')
  await dialog.getByRole('button', { name: 'Entrar' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Pasarlo a mi nombre' }).press('Enter')
  await page.getByText('Ve el canal', { exact: true }).waitFor()
  expect((await owner.call(listGrants, { params: { id } })).items).toMatchObject([
    { isEffective: true, grantedBy: { id: owner.id } },
  ])
  await page.setViewportSize(phone)
  await screenshot(page, 'agents', 'repaired-phone')
})

test('a member sees the people and what an application sees, and changes neither', async () => {
  const { server } = dashboard
  const member = await organization.person({ role: 'MEMBER', name: 'Nerea Soto' })
  const { id } = await createTestChannel(owner, { name: 'Facturación' })
  await owner.call(addChannelMember, { params: { id }, body: { personId: member.id } })
  await insertTestGrant(server, id, application, owner, [])
  await propose({ source: application, channelId: id }, { name: 'Avisos' })
  const page = await dashboard.open(await addressOf(server, member, `/channels/${id}/people`), {
    person: member,
    language: 'es',
    theme: 'dark',
    width: 390,
  })
  await page.getByText('deciden quién está').waitFor()
  expect(await page.getByRole('button', { name: /Acciones/ }).count()).toBe(0)
  await screenshot(page, 'agents', 'member-people')
  await page.getByRole('link', { name: 'Aplicaciones' }).press('Enter')
  await page.getByText('si sus permisos lo incluyen').first().waitFor()
  expect(await page.getByRole('button', { name: /Dar acceso|historial|Acciones/ }).count()).toBe(0)
  expect(await axeFindings(page)).toEqual([])
  await screenshot(page, 'agents', 'member-applications')
  await page.getByRole('link', { name: 'Agentes' }).press('Enter')
  await page.getByRole('button', { name: 'Avisos' }).press('Enter')
  await page.getByText('Deciden los propietarios').waitFor()
  expect(await page.getByRole('button', { name: 'Aprobar…' }).count()).toBe(0)
  await screenshot(page, 'agents', 'member-agent')
})
