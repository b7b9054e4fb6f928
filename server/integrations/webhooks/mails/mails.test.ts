import { afterAll, beforeAll, expect, test } from 'vitest'
import { removeMember } from '#contract/identity/organization.ts'
import { removeWebhook, resumeWebhook, setWebhook, testWebhook } from '#contract/integrations/webhook.ts'
import { firstOf, itemAt, only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { openReceiver, type WebhookReceiver } from '#tests/support/integrations/receiver.ts'
import { loopback } from '#tests/support/integrations/webhook-harness.ts'
import { until } from '#tests/support/processes.ts'
import { openSmtpServer, type SmtpServer } from '#tests/support/smtp.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let smtp: SmtpServer
let receiver: WebhookReceiver
let server: TestServer
let org: Organization
let boss: Person
beforeAll(async () => {
  smtp = await openSmtpServer()
  receiver = await openReceiver()
  server = await startTestServer({ smtpUrl: smtp.url, webhookNetworks: loopback })
  org = await server.organization()
  boss = await org.person({ role: 'OWNER' })
})
afterAll(async () => {
  await server?.close()
  await Promise.all([smtp?.close(), receiver?.close()])
})

/** An application whose webhook failed for an hour, in its last 19 deliveries. */
async function failing(path: string, principal: Person) {
  const app = await makeApplication(server, org, { principal })
  const params = { id: app.id }
  const body = { url: `${receiver.url}${path}?token=hidden`, events: [] }
  await boss.call(setWebhook, { params, body })
  receiver.replyWith(400, path)
  await server.sql(
    `update webhook_endpoint set failing_since = now() - interval '61 minutes', failed_in_row = 19
     where application_id = $1`,
    [app.id],
  )
  return { id: app.id, params }
}
const sendTest = (id: string) => boss.call(testWebhook, { params: { id } })
const endpointOf = async (id: string) =>
  only(
    await server.sql<{ status: string; delivered: boolean; recovered: boolean }>(
      `select status, last_delivered_at is not null as delivered, recovered_at is not null as recovered
       from webhook_endpoint where application_id = $1`,
      [id],
    ),
  )
const mailsAbout = (id: string) =>
  server.sql<{ kind: string; attempts: number; waits: boolean }>(
    `select kind, attempts, next_at > now() as waits from outgoing_mail where data ->> 'applicationId' = $1`,
    [id],
  )

test('the principal and the people who manage integrations get mails about a pause and a recovery', async () => {
  const principal = await org.person({ permissions: ['STUDIO_VIEW'] })
  const manager = await org.person({ permissions: ['INTEGRATIONS_MANAGE'] })
  const former = await org.person({ permissions: ['INTEGRATIONS_MANAGE'] })
  await org.person({ permissions: ['STUDIO_VIEW'] })
  await (await server.organization()).person({ role: 'OWNER' })
  await boss.send(removeMember, { params: { personId: former.id } })
  const { id, params } = await failing('/fails', principal)
  await sendTest(id)
  await until('it is paused', async () => (await endpointOf(id)).status === 'HELD')
  await smtp.came(1)
  const paused = firstOf(smtp.taken)
  expect(paused.to.sort()).toEqual([principal.email, boss.email, manager.email].sort())
  expect(paused.raw).toMatch(/^Subject: The webhook of .* is paused\r$/m)
  expect(paused.raw).toContain(receiver.url)
  expect(paused.raw).not.toContain('hidden')
  await until('it is done', async () => (await mailsAbout(id)).length === 0)

  receiver.replyWith(204, '/fails')
  await boss.call(resumeWebhook, { params })
  for (let n = 0; n < 3; n++) await sendTest(id)
  await smtp.came(2)
  expect(itemAt(smtp.taken, 1).raw).toMatch(/^Subject: The webhook of .* works again\r$/m)
  expect(itemAt(smtp.taken, 1).to.sort()).toEqual(paused.to)
  // once for each change
  await sendTest(id)
  await receiver.waitFor(5, '/fails')
  await until('nothing is left to send', async () => (await mailsAbout(id)).length === 0)
  expect(smtp.taken).toHaveLength(2)
})

test('a webhook that was never paused for failing sends no recovery mail', async () => {
  const { id } = await failing('/works', boss)
  receiver.replyWith(204, '/works')
  await sendTest(id)
  await until('it works', async () => (await endpointOf(id)).delivered)
  expect(await endpointOf(id)).toMatchObject({ status: 'ACTIVE', recovered: false })
  expect(await mailsAbout(id)).toEqual([])
})

test('a mail that no server accepted stays in the mail queue and is repeated as the same message', async () => {
  const { id } = await failing('/later', boss)
  smtp.script.afterData = 'drops'
  const before = smtp.taken.length
  await sendTest(id)
  await smtp.came(before + 1)
  await until('it waits after an attempt', async () => {
    const [mail] = await mailsAbout(id)
    return mail?.kind === 'webhook-paused' && mail.attempts === 1 && mail.waits
  })
  smtp.script.afterData = 'takes'
  await server.sql(`update outgoing_mail set next_at = now() where data ->> 'applicationId' = $1`, [id])
  await until('it is done', async () => (await mailsAbout(id)).length === 0)
  const ids = smtp.taken.slice(before).map(({ raw }) => /^Message-ID: (.*)\r$/im.exec(raw)?.[1])
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('a mail about a deleted webhook is not sent', async () => {
  const { id, params } = await failing('/gone', boss)
  smtp.script.afterData = 'drops'
  const before = smtp.taken.length
  await sendTest(id)
  await smtp.came(before + 1)
  await until('it waits', async () => (await mailsAbout(id))[0]?.attempts === 1)
  await boss.call(removeWebhook, { params })
  smtp.script.afterData = 'takes'
  await server.sql(`update outgoing_mail set next_at = now() where data ->> 'applicationId' = $1`, [id])
  await until('it is forgotten', async () => (await mailsAbout(id)).length === 0)
  expect(smtp.taken).toHaveLength(before + 1)
})
