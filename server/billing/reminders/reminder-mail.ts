import type { MailKind } from '#platform/jobs/mail-queue.ts'
import type { Services } from '#platform/services.ts'
import { mailSenderOf } from '#server/crm/index.ts'
import { accountForCurrency } from '../charges/page/payment-page.json.ts'
import { findInvoice } from '../invoices/invoice.access.ts'
import { pdfFileName, renderInvoicePdf } from '../invoices/read-pdf.ts'
import { linkUrl } from '../links/payment-link.token.ts'
import { addressBookOf } from '../sending/address-book.ts'
import { invoiceMail, payUrlOf } from '../sending/invoice-mail.ts'
import { reminderText } from './reminder.rules.ts'
import { mayBeReminded, setReminderSent } from './reminder.sql.ts'
import { findRule } from './reminder-settings.sql.ts'

/** The services that mails about invoices need. */
type InvoiceMailServices = Pick<Services, 'files' | 'cipher' | 'publicUrl'>

/** The data of a queued reminder, with the encrypted secret of its link. */
type ReminderMailData = { invoiceId: string; days: number; token: string }

export const reminderLinkPurpose = 'invoice reminder mail'

/** A reminder of an unpaid invoice. It is not sent if the invoice may not be reminded of any more, or the rule was turned off. */
export const reminderMail: MailKind<InvoiceMailServices, ReminderMailData> = {
  name: 'invoice-reminder',
  async compose({ files, cipher, publicUrl }, db, { invoiceId, days, token: encrypted }) {
    const [invoice, rule, isAllowed] = await Promise.all([
      findInvoice(db, invoiceId),
      findRule(db, days),
      mayBeReminded(db, invoiceId),
    ])
    if (!invoice || !rule?.isOn || !isAllowed) return undefined
    const { defaultAddress } = await addressBookOf(db, cipher, invoice, [])
    if (defaultAddress === null) return undefined
    const [sender, account] = await Promise.all([
      mailSenderOf(files, db),
      accountForCurrency(db, invoice.currency),
    ])
    const token = cipher.reveal(reminderLinkPurpose, encrypted, `${db.organizationId}/${invoiceId}`)
    const page = { url: linkUrl({ publicUrl }, token), isPayable: account !== undefined }
    const pdf = await renderInvoicePdf(files, db, invoice, payUrlOf(invoice, page))
    const { attachments, ...mail } = invoiceMail(invoice, reminderText(days, rule.text), { sender, page })
    const document = { filename: pdfFileName(invoice), content: pdf, contentType: 'application/pdf' }
    return { ...mail, to: defaultAddress, attachments: [...attachments, document] }
  },
  sent: (tx, { invoiceId, days }) => setReminderSent(tx, invoiceId, days),
}
