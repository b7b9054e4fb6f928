import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancelBudget } from '#contract/crm/budgets.ts'
import { updateCrmSettings } from '#contract/crm/settings.ts'
import { listSigningLinks, revokeSigningLink, sendSigningLink } from '#contract/crm/signing-links.ts'
import { openSigningPage } from '#contract/crm/signing-page.ts'
import { type MadeBudget, makeBudget } from '#tests/support/crm/budgets.ts'
import { requestSigners, secretsOf } from '#tests/support/crm/signature-requests.ts'
import { issueLink, type MadeLink, signLink } from '#tests/support/crm/signing.ts'
import { earlier } from '#tests/support/earlier.ts'
import { defined, exactly, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { decoded, openSmtpServer, type SmtpServer } from '#tests/support/smtp.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { queueDueSigningReminders } from './send-reminders.ts'

let smtp: SmtpServer
let server: TestServer
let organization: Organization
let owner: Person
let budget: MadeBudget
let link: MadeLink
beforeAll(async () => {
  smtp = await openSmtpServer()
  server = await startTestServer({ smtpUrl: smtp.url })
})
beforeEach(async () => {
  await noMailWaits()
  smtp.taken.length = 0
  organization = await server.organization({ name: 'Acme' })
  owner = await organization.person({ role: 'OWNER' })
  budget = await makeBudget(owner)
  link = await issueLink(owner, budget.id)
})
afterAll(async () => {
  await server?.close()
  await smtp?.close()
})

const noMailWaits = () =>
  until('no mail waits', async () => (await server.sql('select from outgoing_mail')).length === 0)
const remind = (signingReminders: { days: number; most: number } | null) =>
  owner.call(updateCrmSettings, { body: { phoneCountry: 'ES', signingReminders } })
const mail = () => owner.call(sendSigningLink, { params: { id: budget.id, linkId: link.id } })
/** As if the last mail of each link were this much older. */
const passes = (days: number) =>
  server.sql(
    `update signing_link set mailed_at = ${earlier('mailed_at', 'make_interval(days => $2)')} where organization_id = $1`,
    [organization.id, days],
  )
const queue = async () => {
  await Promise.all(
    [1, 2].map(() => queueDueSigningReminders(server.api.services.database, server.api.services.cipher)),
  )
  await noMailWaits()
}
const current = async () => only((await owner.call(listSigningLinks, { params: { id: budget.id } })).items)
const secrets = () => smtp.taken.map(({ raw }) => defined(/patio_sign_\w+/.exec(decoded(raw)))[0])
const pageStatus = async (token: string) =>
  (await server.client().send(openSigningPage, { params: { token } })).status

test('a link that nobody answers is mailed again after the days of the settings, as often as they say', async () => {
  await remind({ days: 3, most: 2 })
  await mail()
  await queue()
  expect(smtp.taken).toHaveLength(1)
  for (const count of [1, 2]) {
    await passes(3)
    await queue()
    expect(smtp.taken).toHaveLength(1 + count)
    expect(await current()).toMatchObject({ reminderCount: count, status: 'OPEN' })
    expect((await current()).mailedAt).not.toBeNull()
  }
  await passes(30)
  await queue()
  expect(smtp.taken).toHaveLength(3)
  const reminder = decoded(itemAt(smtp.taken, 2).raw.replaceAll('\r\n ', ' '))
  expect(reminder).toContain(`Subject: Recordatorio: presupuesto ${budget.code} de Acme para firmar`)
  expect(reminder).toContain('espera tu respuesta')
  expect(await Promise.all(secrets().map(pageStatus))).toEqual([404, 404, 200])
  expect((await signLink(server, itemAt(secrets(), 2))).status).toBe(200)
})

test('nothing is sent without the setting, before a first mail, or about a closed link or a settled budget', async () => {
  await mail()
  await passes(90)
  await queue()
  await remind({ days: 1, most: 5 })
  const [unmailed, revoked, cancelled, expired] = exactly(
    4,
    await Promise.all(Array.from({ length: 4 }, () => makeBudget(owner))),
  )
  await issueLink(owner, unmailed.id)
  for (const { id } of [revoked, cancelled, expired]) {
    const { id: linkId } = await issueLink(owner, id)
    await owner.call(sendSigningLink, { params: { id, linkId } })
    if (id === revoked.id) await owner.call(revokeSigningLink, { params: { id, linkId } })
  }
  await owner.call(cancelBudget, { params: { id: cancelled.id } })
  await server.sql(`update budget set valid_until = '2020-01-02' where id = $1`, [expired.id])
  await signLink(server, firstOf(secrets()))
  await noMailWaits()
  smtp.taken.length = 0
  await passes(90)
  await queue()
  expect(smtp.taken).toEqual([])
})

test('of several signers, those whose turn it is are reminded', async () => {
  await remind({ days: 1, most: 1 })
  await requestSigners(owner, budget.id, { Ana: 1, Bea: 2 })
  await noMailWaits()
  await passes(1)
  await queue()
  expect(secretsOf(smtp, 'Ana')).toHaveLength(2)
  expect(secretsOf(smtp, 'Bea')).toHaveLength(0)
  expect((await signLink(server, itemAt(secretsOf(smtp, 'Ana'), 1), { name: 'Ana' })).status).toBe(200)
})
