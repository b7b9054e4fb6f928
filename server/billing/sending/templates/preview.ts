import { previewInvoiceTemplate, testInvoiceTemplate } from '#contract/billing/templates.ts'
import { MailFailure } from '#platform/adapters/mail.ts'
import { now } from '#platform/clock.ts'
import type { Db } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import { query, workflow } from '#platform/http/operation.ts'
import { issuerOf } from '#server/crm/index.ts'
import { invoiceFor } from '../../invoices/invoice.access.ts'
import { invoicePdf } from '../../invoices/invoice.pdf.ts'
import { pdfFileName } from '../../invoices/read-pdf.ts'
import { invoiceMail } from '../invoice-mail.ts'
import { assertVariables } from './mail-template.rules.ts'
import { findMemberEmail, findTemplate } from './mail-template.sql.ts'
import { sampleInvoice } from './sample-invoice.ts'

/** Renders a text that need not be stored. */
export const preview = query(previewInvoiceTemplate, async ({ db, caller, body }) => {
  const { invoiceId, ...text } = body
  assertVariables(text)
  const invoice = invoiceId === undefined ? await sampleFor(db) : await invoiceFor(db, caller, invoiceId)
  return invoiceMail(invoice, text)
})

/** Mails a template with an example invoice to the caller, and to nobody else. */
export const test = workflow(testInvoiceTemplate, async ({ services, db, caller, params, transact }) => {
  const subject = params.templateId
  const [template, recipient] = await transact(
    async tx =>
      [
        (await findTemplate(tx, subject)) ?? fail('TEMPLATE_NOT_FOUND'),
        await findMemberEmail(tx, caller.personId),
      ] as const,
    { subject },
  )
  const sample = await sampleFor(db)
  const message = invoiceMail(sample, template)
  const content = await invoicePdf(sample, { ...sample, rectified: null, rectifying: [] })
  try {
    await services.mail.send({
      ...message,
      fromName: sample.issuer?.name,
      to: recipient,
      subject: `[Prueba] ${message.subject}`,
      attachments: [{ filename: pdfFileName(sample), content, contentType: 'application/pdf' }],
    })
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    services.log?.warn({ templateId: subject }, 'the mail server did not accept a test mail')
    fail('INVOICE_EMAIL_NOT_SENT')
  }
  return { sent: true, recipient, sentAt: now().toISOString() }
})

const sampleFor = async (db: Db) => sampleInvoice(await issuerOf(db))
