import * as contract from '#contract/billing/reminders.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { browsableHtml } from '#platform/mail-layout.ts'
import { invoiceFor, lockInvoice } from '../invoices/invoice.access.ts'
import { invoiceMail } from '../sending/invoice-mail.ts'
import { assertVariables } from '../sending/templates/mail-template.rules.ts'
import { presentationOf, sampleFor } from '../sending/templates/preview.ts'
import { reminderText } from './reminder.rules.ts'
import { listUpcoming, remindersOf, setPaused } from './reminder.sql.ts'
import { isTimeZone, readSettings, setSettings } from './reminder-settings.sql.ts'

const read = query(contract.readReminderSettings, ({ db }) => readSettings(db))

const update = command(contract.updateReminderSettings, async ({ tx, body, audit }) => {
  const { timeZone, rules } = body
  if (new Set(rules.map(({ days }) => days)).size < rules.length)
    refuse('rules', 'unique', 'must not have the same days twice')
  for (const { text } of rules) if (text !== null) assertVariables({ body: text })
  if (!(await isTimeZone(tx, timeZone))) refuse('timeZone', 'format', 'must be an IANA time zone name')
  const before = await readSettings(tx)
  const after = { ...body, rules: rules.toSorted((a, b) => a.days - b.days) }
  const changed = changedFieldNames(['timeZone', 'hour', 'rules'], before, after)
  audit(tx.organizationId, changed)
  if (changed.length > 0) await setSettings(tx, after)
  return readSettings(tx)
})

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}

const preview = query(contract.previewReminder, async ({ db, services, body: { days, text } }) => {
  if (text !== null) assertVariables({ body: text })
  const invoice = await sampleFor(db)
  const letter = invoiceMail(invoice, reminderText(days, text), await presentationOf(services, db, invoice))
  return { subject: letter.subject, text: letter.text, html: browsableHtml(letter) }
})

const upcoming = query(contract.listUpcomingReminders, async ({ db }) => ({ items: await listUpcoming(db) }))

const readOfInvoice = query(contract.readInvoiceReminders, async ({ db, caller, params }) =>
  remindersOf(db, await invoiceFor(db, caller, params.id)),
)

const pause = command(contract.pauseInvoiceReminders, async ({ tx, caller, params, body, audit }) => {
  const invoice = await lockInvoice(tx, caller, params.id)
  const before = await remindersOf(tx, invoice)
  audit(invoice.id, changedFieldNames(['isPaused', 'isClientPaused'], before, body))
  await setPaused(tx, invoice.id, body.isPaused)
  await setPaused(tx, invoice.client_id, body.isClientPaused)
  return remindersOf(tx, invoice)
})

export const reminderOperations: ServedOperation[] = [read, update, preview, upcoming, readOfInvoice, pause]
