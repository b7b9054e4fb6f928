import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateReminderSettings } from '#contract/billing/reminders.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { captured, defined, only } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { dataFolder, endAll, removeFolders, start, until } from '#tests/support/processes.ts'
import { openSmtpServer, type SmtpServer } from '#tests/support/smtp.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let smtp: SmtpServer
let server: TestServer
beforeAll(async () => {
  smtp = await openSmtpServer()
  server = await startTestServer({}, { hasWorker: false })
})
afterAll(async () => {
  endAll()
  await server?.close()
  await smtp?.close()
  removeFolders()
})

const count = async (table: string) =>
  only(await server.sql<{ n: number }>(`select count(*)::int as n from ${table}`)).n

test('each invoice gets one reminder by a rule, although one of two workers is killed', {
  timeout: 120_000,
}, async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const shop = await makeApplication(server, organization, {})
  const rules = [{ days: 0, isOn: true, text: null }]
  await owner.call(updateReminderSettings, { body: { timeZone: 'UTC', hour: 9, rules } })
  // reminders are sent at any time of the day of this test
  const ahead = 12 - new Date().getUTCHours()
  const zone = ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
  await server.sql('update invoice_reminder_settings set time_zone = $1', [zone])
  const invoices = 120
  for (let n = 0; n < invoices; n++) await plantInvoice(server, shop)
  await server.sql(`update invoice set due_date = (now() at time zone $1)::date, issue_date = '2020-01-01'`, [
    zone,
  ])
  const { signInSecret, sessionKeys, databaseUrl } = server.config
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataFolder(),
    SIGN_IN_SECRET: signInSecret,
    SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Patio <patio@example.com>',
  }
  const [first] = await Promise.all([start('worker', env), start('worker', env)])
  await until('reminders are being queued', async () => (await count('invoice_reminder')) > 0)
  await first.stop('SIGKILL')
  await until('all mails are sent', async () => {
    // mails that the killed worker was sending are due again at once
    await server.sql('update outgoing_mail set next_at = now()')
    return (await count('outgoing_mail')) === 0 && (await count('invoice_reminder')) === invoices
  })
  const sent = smtp.taken.map(({ raw }) => ({
    id: captured(/^Message-ID: (.*)\r$/im, raw),
    number: defined(/T2026-\d{6}/.exec(raw))[0],
  }))
  expect(new Set(sent.map(({ number }) => number)).size).toBe(invoices)
  expect(new Set(sent.map(({ id }) => id)).size).toBe(invoices)
})
