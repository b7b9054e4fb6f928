import type { readInvoiceTemplate } from '#contract/billing/templates.ts'
import type { Reply } from '#contract/route.ts'

/** The text of e-mails with invoices. */
export type Template = Reply<typeof readInvoiceTemplate>
