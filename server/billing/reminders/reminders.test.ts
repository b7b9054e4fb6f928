import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listInvoiceLinks } from '#contract/billing/links.ts'
import {
  listUpcomingReminders,
  pauseInvoiceReminders,
  previewReminder,
  readInvoiceReminders,
  readReminderSettings,
  updateReminderSettings,
} from '#contract/billing/reminders.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { plantCharge, plantPayment } from '#tests/support/billing/payments.ts'
import { auditedChanges } from '#tests/support/crm/leads-and-clients.ts'
import { captured, firstOf, only } from '#tests/support/elements.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { until } from '#tests/support/processes.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { decoded, openSmtpServer, partsOf, type SmtpServer } from '#tests/support/smtp.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { reminderMail } from './reminder-mail.ts'
import { queueDueReminders } from './send-due.ts'

let smtp: SmtpServer
let server: TestServer
let organization: Organization
let owner: Person
let shop: TestApplication
beforeAll(async () => {
  smtp = await openSmtpServer()
  server = await startTestServer({ smtpUrl: smtp.url })
})
beforeEach(async () => {
  await noMailWaits()
  await server.sql('delete from invoice_reminder_rule')
  smtp.taken.length = 0
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
  shop = await makeApplication(server, organization, {})
})
afterAll(async () => {
  await server?.close()
  await smtp?.close()
})

type Rule = { days: number; isOn?: boolean; text?: string | null }

/** A time zone where it is this hour now. */
function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  // the signs of these names are reversed
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

const bodyOf = (rules: Rule[], timeZone = zoneAt(12)) => ({
  timeZone,
  hour: 9,
  rules: rules.map(({ days, isOn = true, text = null }) => ({ days, isOn, text })),
})
const set = (rules: Rule[], timeZone?: string) =>
  owner.call(updateReminderSettings, { body: bodyOf(rules, timeZone) })

/** An invoice that is due this many days after today, in the time zone of the settings. */
async function dueIn(
  days: number,
  changes = '',
  given: Parameters<typeof plantInvoice>[2] = {},
  issuedInDays = -1_000,
) {
  const invoice = await plantInvoice(server, shop, given)
  await server.sql(
    `update invoice i set due_date = (now() at time zone $2)::date + $3::int, issue_date = (now() at time zone $2)::date + $4::int
       ${changes} where i.id = $1`,
    [invoice.id, zoneAt(12), days, issuedInDays],
  )
  return invoice
}
const queue = () => queueDueReminders(server.api.services.database, server.api.services.cipher)
const remindersOf = (id: string) => owner.call(readInvoiceReminders, { params: { id } })
const daysOf = async (id: string) => (await remindersOf(id)).items.map(({ days }) => days)
const noMailWaits = () =>
  until('no mail waits', async () => (await server.sql('select from outgoing_mail')).length === 0)

describe('the rules', () => {
  test('are read with BILLING_VIEW, changed with ORG_MANAGE, and there are none at first', async () => {
    const viewer = await organization.person({ permissions: ['BILLING_VIEW', 'BILLING_EDIT'] })
    expect(await viewer.call(readReminderSettings)).toEqual({ timeZone: 'Europe/Madrid', hour: 9, rules: [] })
    const body = bodyOf(
      [
        { days: 7, text: 'Pay {{due}}.' },
        { days: -3, isOn: false },
      ],
      'Europe/London',
    )
    expect(refusalOf(await viewer.send(updateReminderSettings, { body }))).toEqual([403, 'PERMISSION_DENIED'])
    const stored = { ...body, rules: body.rules.toReversed() }
    for (let time = 0; time < 2; time++)
      expect(await owner.call(updateReminderSettings, { body })).toEqual(stored)
    expect(await viewer.call(readReminderSettings)).toEqual(stored)
    expect(await auditedChanges(server, organization.id)).toEqual([['timeZone', 'rules'], []])
    const other = await (await server.organization()).person({ role: 'OWNER' })
    expect((await other.call(readReminderSettings)).rules).toEqual([])
  })

  const rule = { days: 1, isOn: true, text: null }
  test.each([
    ['timeZone', { timeZone: 'Mars/Olympus' }],
    ['hour', { hour: limits.reminderHourFirst - 1 }],
    ['hour', { hour: limits.reminderHourLast + 1 }],
    ['rules', { rules: [rule, { ...rule, text: 'again' }] }],
    ['rules', { rules: Array.from({ length: limits.reminderRules + 1 }, (_, days) => ({ ...rule, days })) }],
    ['rules.0.days', { rules: [{ ...rule, days: limits.reminderDaysAfter + 1 }] }],
    ['rules.0.text', { rules: [{ ...rule, text: 'x'.repeat(limits.reminderText + 1) }] }],
    ['body', { rules: [{ ...rule, text: '{{secret}}' }] }],
  ])('%s cannot be %j', async (path, changed) => {
    const answer = await owner.send(updateReminderSettings, { body: { ...bodyOf([]), ...changed } as never })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path }] } })
  })
})

describe('a reminder', () => {
  test('is queued once for an invoice and a rule, however many workers run', async () => {
    await set([{ days: -3 }, { days: 0 }, { days: 7 }])
    const ids = await Promise.all([3, 0, -7].map(async days => (await dueIn(days)).id))
    await Promise.all(Array.from({ length: 4 }, queue))
    expect(await queue()).toBe(0)
    expect(await Promise.all(ids.map(daysOf))).toEqual([[-3], [0], [7]])
    await noMailWaits()
    expect(smtp.taken).toHaveLength(3)
    // another text does not make it another rule
    await set([{ days: -3, text: 'Other' }, { days: 0 }, { days: 7 }])
    expect(await queue()).toBe(0)
  })

  test('looks like the mail of the invoice, has its PDF and a button to pay, and is recorded when it was sent', async () => {
    await plantAccount(server, organization.id)
    await set([{ days: 7, text: 'Falta {{due}} de {{number}}.\r\n\r\nGracias' }])
    const { id, number } = await dueIn(-7, '', { email: 'payer@example.test' })
    await queue()
    await noMailWaits()
    const { raw, to } = only(smtp.taken)
    expect(to).toEqual(['payer@example.test'])
    expect(decoded(raw.replaceAll('\r\n ', ' '))).toContain(`Subject: Recordatorio: factura ${number} de`)
    const parts = partsOf(raw)
    expect(parts.map(({ type }) => type)).toEqual(['text/plain', 'text/html', 'application/pdf'])
    const text = firstOf(parts).bytes.toString().replaceAll('\u00a0', ' ')
    expect(text).toMatch(new RegExp(`^Falta 121,00 € de ${number}\\.\r\n\r\nGracias\r\n`))
    const url = captured(/Pagar 121,00 €:\r\n(http\S+)/, text)
    const page = await fetch(server.url + new URL(url).pathname, { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    expect(await remindersOf(id)).toMatchObject({
      isPaused: false,
      items: [{ days: 7, sentAt: expect.any(String), hasRecipient: true }],
    })
    const { items } = await owner.call(listInvoiceLinks, { params: { id } })
    expect(items.map(({ kind }) => kind)).toEqual(['MAIL'])
  })

  test('and its mail are stored together or not at all', async () => {
    await set([{ days: 0 }])
    const { id } = await dueIn(0)
    await server.sql(
      `alter table outgoing_mail add constraint no_reminder check (kind <> 'invoice-reminder') not valid`,
    )
    await expect(queue()).rejects.toThrow(/no_reminder/)
    expect(await daysOf(id)).toEqual([])
    expect(await owner.call(listInvoiceLinks, { params: { id } })).toEqual({ items: [] })
    await server.sql('alter table outgoing_mail drop constraint no_reminder')
    await queue()
    expect(await daysOf(id)).toEqual([0])
  })

  test('is not sent for an invoice that is paid, voided, rectified, disputed, being charged, not due by the rule, or before its issue', async () => {
    await set([{ days: 7 }, { days: 20, isOn: false }])
    const none = await Promise.all([
      dueIn(-7, ', paid_cents = total_cents'),
      dueIn(-7, `, lifecycle = 'VOIDED'`),
      dueIn(-7, ', rectified_cents = total_cents'),
      dueIn(-7, '', {}, 2),
      dueIn(-6),
      dueIn(-11),
      dueIn(-20),
    ])
    const disputed = await dueIn(-7, ', paid_cents = 100')
    const { id: organizationId } = organization
    const accountId = await plantAccount(server, organizationId)
    await plantPayment(server, {
      organizationId,
      invoiceId: disputed.id,
      method: 'CARD',
      cents: 100,
      isDisputed: true,
    })
    const charged = await dueIn(-7)
    await plantCharge(server, {
      organizationId,
      invoiceId: charged.id,
      accountId,
      kind: 'ON_SESSION',
      state: 'PROCESSING',
    })
    const latest = await dueIn(-10)
    expect(await queue()).toBe(1)
    for (const { id } of [...none, disputed, charged]) expect(await daysOf(id)).toEqual([])
    expect(await daysOf(latest.id)).toEqual([7])
  })

  test('is not sent when the invoice was paid after it was queued', async () => {
    await set([{ days: 0 }])
    const { id } = await dueIn(0)
    const { cipher, files, database, publicUrl } = server.api.services
    // the worker of the server must not take the mail before the payment
    await server.sql(`create function delay() returns trigger language plpgsql as
      $$begin new.next_at = now() + interval '1 day'; return new; end$$`)
    await server.sql(
      'create trigger delay before insert on outgoing_mail for each row execute function delay()',
    )
    await queue()
    await server.sql('drop trigger delay on outgoing_mail')
    const [{ data }] = (await server.sql<{ data: never }>(
      'select data from outgoing_mail where organization_id = $1',
      [organization.id],
    )) as [{ data: never }]
    const compose = () =>
      reminderMail.compose({ cipher, files, publicUrl }, database.of(organization.id), data)
    expect(await compose()).toMatchObject({ subject: expect.stringContaining('Recordatorio') })
    for (const change of ['paid_cents = total_cents', `paid_cents = 0, lifecycle = 'VOIDED'`]) {
      await server.sql(`update invoice set ${change} where id = $1`, [id])
      expect(await compose()).toBeUndefined()
    }
    await server.sql(`update invoice set lifecycle = 'ISSUED' where id = $1`, [id])
    await set([{ days: 0, isOn: false }])
    expect(await compose()).toBeUndefined()
    await server.sql('delete from outgoing_mail')
  })

  test('is not sent for an organization that is suspended or without the module', async () => {
    await set([{ days: 0 }])
    const { id } = await dueIn(0)
    const change = (values: string) =>
      server.sql(`update organization set ${values} where id = $1`, [organization.id])
    await change('suspended_at = now()')
    expect(await queue()).toBe(0)
    await change(`suspended_at = null, modules_removed = '{finance}'`)
    expect(await queue()).toBe(0)
    await change(`modules_removed = '{}'`)
    expect(await queue()).toBe(1)
    expect(await daysOf(id)).toEqual([0])
  })

  test('is sent only during the hours of the settings', async () => {
    for (const hour of [3, 8, 21, 23]) {
      await set([{ days: 0 }], zoneAt(hour))
      const { id } = await plantInvoice(server, shop)
      await server.sql(
        `update invoice set due_date = (now() at time zone $2)::date, issue_date = '2020-01-01' where id = $1`,
        [id, zoneAt(hour)],
      )
      expect([hour, await queue()]).toEqual([hour, 0])
    }
  })

  test('is one a time: of several rules that are due, the latest counts, and no earlier one follows', async () => {
    await set([{ days: -2 }, { days: -1 }, { days: 0 }])
    const { id } = await dueIn(0)
    expect(await queue()).toBe(1)
    expect(await queue()).toBe(0)
    expect(await daysOf(id)).toEqual([0])
  })

  test('without an address is recorded and not sent', async () => {
    await set([{ days: 0 }])
    const { id } = await dueIn(0, ', application_id = null, external_user_id = null')
    await queue()
    expect((await remindersOf(id)).items).toMatchObject([{ days: 0, sentAt: null, hasRecipient: false }])
    expect(await queue()).toBe(0)
    await noMailWaits()
    expect(smtp.taken).toEqual([])
  })
})

test('reminders are paused for an invoice, or for all invoices of its client', async () => {
  await set([{ days: 0 }])
  const [first, second] = [await dueIn(0), await dueIn(0)]
  const third = await dueIn(0, '', { clientId: second.clientId })
  const viewer = await organization.person({ permissions: ['BILLING_VIEW'] })
  const pause = (id: string, isPaused: boolean, isClientPaused: boolean, by = owner) =>
    by.send(pauseInvoiceReminders, { params: { id }, body: { isPaused, isClientPaused } })
  expect(refusalOf(await pause(first.id, true, false, viewer))).toEqual([403, 'PERMISSION_DENIED'])
  expect(refusalOf(await pause(newId(), true, false))).toEqual([404, 'INVOICE_NOT_ACCESSIBLE'])
  expect((await pause(first.id, true, false)).body).toEqual({
    isPaused: true,
    isClientPaused: false,
    items: [],
  })
  await pause(second.id, false, true)
  expect(await remindersOf(third.id)).toMatchObject({ isPaused: false, isClientPaused: true })
  expect(await queue()).toBe(0)
  expect((await owner.call(listUpcomingReminders)).items).toEqual([])
  await pause(first.id, false, false)
  await pause(third.id, false, false)
  expect(await queue()).toBe(3)
  expect(await auditedChanges(server, first.id)).toEqual([['isPaused'], ['isPaused']])
})

test('the next reminders are listed by their day, and those that were sent are not', async () => {
  await set([{ days: -1 }, { days: 5 }, { days: 9, isOn: false }])
  const [late, soon, today] = [await dueIn(-8), await dueIn(2), await dueIn(1)]
  const listed = async () =>
    (await owner.call(listUpcomingReminders)).items.map(({ invoiceId, days }) => [invoiceId, days])
  const first = [
    [late.id, 5],
    [today.id, -1],
  ].sort()
  const next = [
    [soon.id, -1],
    [today.id, 5],
    [soon.id, 5],
  ]
  expect(await listed()).toEqual([...first, ...next])
  const [item] = (await owner.call(listUpcomingReminders)).items
  const day = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/)
  expect(item).toMatchObject({
    currency: 'eur',
    dueCents: 12_100,
    number: expect.any(String),
    dueDate: day,
    day,
  })
  expect(await queue()).toBe(2)
  expect(await listed()).toEqual(next)
})

test('a preview shows the text, or the built-in one before and after the due date', async () => {
  const show = async (days: number, text: string | null) =>
    (await owner.call(previewReminder, { body: { days, text } })).text
  expect(await show(-3, null)).toContain('La factura EJEMPLO-000001 vence el')
  expect(await show(7, null)).toContain('La factura EJEMPLO-000001 venció el')
  expect(await show(7, 'Falta {{number}}')).toMatch(/^Falta EJEMPLO-000001\n/)
  const unknown = { body: { days: 7, text: '{{secret}}' } }
  expect(refusalOf(await owner.send(previewReminder, unknown))).toEqual([400, 'VALIDATION_ERROR'])
})
