import { previewInvoiceTemplate, testInvoiceTemplate } from '#contract/billing/templates.ts'
import { MailFailure } from '#platform/adapters/mail.ts'
import { now } from '#platform/clock.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { query, workflow } from '#platform/http/operation.ts'
import { browsableHtml } from '#platform/mail-layout.ts'
import type { Services } from '#platform/services.ts'
import { issuerOf, letterheadOf, mailSenderOf, readLogo } from '#server/crm/index.ts'
import { accountForCurrency } from '../../charges/page/payment-page.json.ts'
import { invoiceFor } from '../../invoices/invoice.access.ts'
import { invoicePdf } from '../../invoices/invoice.pdf.ts'
import type { InvoiceRow } from '../../invoices/invoice.row.ts'
import { pdfFileName } from '../../invoices/read-pdf.ts'
import { invoiceMail } from '../invoice-mail.ts'
import { assertVariables } from './mail-template.rules.ts'
import { findMemberEmail, findTemplate } from './mail-template.sql.ts'
import { sampleInvoice } from './sample-invoice.ts'

/** Renders a text that need not be stored. */
export const preview = query(previewInvoiceTemplate, async ({ db, caller, body, services }) => {
  const { invoiceId, ...text } = body
  assertVariables(text)
  const invoice = invoiceId === undefined ? await sampleFor(db) : await invoiceFor(db, caller, invoiceId)
  const letter = invoiceMail(invoice, text, await presentationOf(services, db, invoice))
  return { subject: letter.subject, text: letter.text, html: browsableHtml(letter) }
})

/** How the mail will look; the address of the invoice's page is that of no invoice. */
export async function presentationOf(
  { files, publicUrl }: Pick<Services, 'files' | 'publicUrl'>,
  db: Db,
  { currency }: InvoiceRow,
) {
  const [sender, account] = await Promise.all([mailSenderOf(files, db), accountForCurrency(db, currency)])
  return { sender, page: { url: `${publicUrl}/p/ejemplo`, isPayable: account !== undefined } }
}

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
  const message = invoiceMail(sample, template, await presentationOf(services, db, sample))
  const letterhead = await letterheadOf(db)
  const logo = letterhead.logo ? { logo: await readLogo(services.files, letterhead.logo) } : {}
  const content = await invoicePdf(sample, {
    ...sample,
    ...logo,
    letterhead,
    rectified: null,
    rectifying: [],
  })
  try {
    await services.mail.send({
      ...message,
      to: recipient,
      subject: `[Prueba] ${message.subject}`,
      attachments: [
        ...message.attachments,
        { filename: pdfFileName(sample), content, contentType: 'application/pdf' },
      ],
    })
  } catch (error) {
    if (!(error instanceof MailFailure)) throw error
    services.log?.warn({ templateId: subject }, 'the mail server did not accept a test mail')
    fail('INVOICE_EMAIL_NOT_SENT')
  }
  return { sent: true, recipient, sentAt: now().toISOString() }
})

/** An example invoice with the issuer of the organization. */
export const sampleFor = async (db: Db) => sampleInvoice(await issuerOf(db))
