import { afterAll, beforeAll, expect, test } from 'vitest'
import { readInvoice } from '#contract/billing/invoices.ts'
import { listInvoiceDeliveries, sendInvoice } from '#contract/billing/sending.ts'
import { limits } from '#contract/limits.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { earlier } from '#tests/support/earlier.ts'
import { only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { dataFolder, endAll, removeFolders, start } from '#tests/support/processes.ts'
import { openSmtpServer, type SmtpServer } from '#tests/support/smtp.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { endLostDeliveries } from './lost-deliveries.ts'

let smtp: SmtpServer
let server: TestServer
beforeAll(async () => {
  smtp = await openSmtpServer()
  server = await startTestServer({ smtpUrl: smtp.url })
})
afterAll(async () => {
  await server?.close()
  await smtp?.close()
  endAll()
  removeFolders()
})

test('a process that is killed before the mail server’s reply leaves the delivery UNKNOWN', {
  timeout: 60_000,
}, async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const shop = await makeApplication(server, organization, { scopes: ['crm:invoices:send'] })
  const { id } = await plantInvoice(server, shop, { userId: 'u-1', email: 'user@example.test' })
  const deliveries = async () => (await owner.call(listInvoiceDeliveries, { params: { id } })).items
  const { signInSecret, sessionKeys, databaseUrl } = server.config
  const api = await start('api', {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataFolder(),
    SIGN_IN_SECRET: signInSecret,
    SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Patio <patio@example.com>',
  })
  const input = {
    params: { id },
    body: { userId: 'u-1' },
    headers: { 'Idempotency-Key': 'killed' },
  }
  smtp.script.afterData = 'hangs'
  const lost = expect(shop.at(api.url).send(sendInvoice, input)).rejects.toThrow()
  await smtp.came(1)
  await api.stop('SIGKILL')
  await lost
  expect(await deliveries()).toMatchObject([{ state: 'SENDING' }])

  await server.sql(
    `update invoice_delivery set created_at = ${earlier('created_at', 'make_interval(secs => $1)')}`,
    [limits.mailGivenSeconds + 1],
  )
  expect(await endLostDeliveries(server.api.services.database)).toBe(1)
  const unknown = only(await deliveries())
  expect(unknown).toMatchObject({ state: 'UNKNOWN' })
  expect((await owner.call(readInvoice, { params: { id } })).status).toBe('ISSUED')
  expect(await server.sql(`select used from rate_window where bucket = 'invoice-sends'`)).toEqual([
    { used: 1 },
  ])

  smtp.script.afterData = 'takes'
  expect((await shop.client.send(sendInvoice, input)).status).toBe(200)
  expect((await deliveries()).map(({ state, messageId }) => [state, messageId])).toEqual([
    ['SENT', unknown.messageId],
    ['UNKNOWN', unknown.messageId],
  ])
  expect(smtp.taken).toHaveLength(2)
})
