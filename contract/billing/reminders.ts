import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { toEdit, toManage, toView } from './auth.ts'
import { Letter, templateVariables } from './templates.ts'

const days = Type.Integer({
  minimum: -limits.reminderDaysBefore,
  maximum: limits.reminderDaysAfter,
  description: 'Days after the due date; negative: before it',
})
const text = Nullable(
  Type.String({
    minLength: 1,
    maxLength: limits.reminderText,
    description: `Plain text instead of the built-in one. Variables: ${templateVariables.map(name => `\`{{${name}}}\``).join(', ')}`,
  }),
)

/** When an unpaid invoice is reminded of. */
const ReminderRule = Type.Object({
  days,
  isOn: Type.Boolean({ description: 'Off: nothing is sent by this rule' }),
  text,
})

const fields = {
  timeZone: Type.String({
    minLength: 1,
    maxLength: limits.timeZone,
    description: 'A name of the IANA database',
  }),
  hour: Type.Integer({
    minimum: limits.reminderHourFirst,
    maximum: limits.reminderHourLast,
    description: `Reminders are sent from this local hour until ${limits.reminderHourEnd}:00`,
  }),
  rules: Type.Array(ReminderRule, { maxItems: limits.reminderRules }),
}

export const ReminderSettings = Type.Object(fields)
export type ReminderSettings = Static<typeof ReminderSettings>

export const readReminderSettings = operation('GET /reminders/settings', {
  ...toView,
  summary: 'Get the rules by which unpaid invoices are reminded of',
  reply: ReminderSettings,
})
export const updateReminderSettings = operation('PUT /reminders/settings', {
  ...toManage,
  summary: 'Set the rules by which unpaid invoices are reminded of',
  description: 'Two rules cannot have the same days.',
  body: fields,
  reply: ReminderSettings,
})
export const previewReminder = operation('POST /reminders/preview', {
  ...toView,
  summary: 'Preview a reminder',
  description: 'Renders it for an example. Nothing is stored or sent.',
  body: { days, text },
  reply: Letter,
})

export const listUpcomingReminders = operation('GET /reminders/upcoming', {
  ...toView,
  summary: 'List the next reminders that would be sent',
  description: `The next ${limits.upcomingReminders}, by their day. An invoice that is paid before gets none.`,
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        invoiceId: Id,
        number: Type.String(),
        clientName: Type.String(),
        currency: Type.String(),
        dueCents: Type.Integer(),
        dueDate: Type.String(),
        days: Type.Integer(),
        day: Type.String({ description: 'In the time zone of the settings' }),
      }),
    ),
  }),
})

/** The reminders of an invoice. */
export const InvoiceReminders = Type.Object({
  isPaused: Type.Boolean({ description: 'This invoice gets no reminders' }),
  isClientPaused: Type.Boolean({ description: 'No invoice of its client gets reminders' }),
  items: Type.Array(
    Type.Object({
      days: Type.Integer(),
      createdAt: Time,
      sentAt: Nullable(Time),
      hasRecipient: Type.Boolean({ description: 'False: there was no address, so nothing was sent' }),
    }),
  ),
})
export type InvoiceReminders = Static<typeof InvoiceReminders>

export const readInvoiceReminders = operation('GET /invoices/:id/reminders', {
  ...toView,
  summary: 'Get the reminders of an invoice, newest first',
  params: { id: Id },
  reply: InvoiceReminders,
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
export const pauseInvoiceReminders = operation('PUT /invoices/:id/reminders', {
  announces: { event: 'invoice.changed', id: 'id' },
  ...toEdit,
  summary: 'Pause the reminders of an invoice, or of all invoices of its client',
  params: { id: Id },
  body: { isPaused: Type.Boolean(), isClientPaused: Type.Boolean() },
  reply: InvoiceReminders,
  errors: ['INVOICE_NOT_ACCESSIBLE'],
})
