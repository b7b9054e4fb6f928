import { listAuthorizations } from '#contract/billing/authorizations.ts'
import { chargeInvoiceByHand, listCharges } from '#contract/billing/charges.ts'
import { readInvoice } from '#contract/billing/invoices.ts'
import { listLedger } from '#contract/billing/ledger.ts'
import { listInvoiceLinks } from '#contract/billing/links.ts'
import { listRefunds } from '#contract/billing/refunds.ts'
import { readInvoiceReminders } from '#contract/billing/reminders.ts'
import { listInvoiceDeliveries } from '#contract/billing/sending.ts'
import type { Reply } from '#contract/route.ts'
import { useMay } from '../../data/organization.tsx'
import { useList, useRead } from '../../data/read.ts'
import { usableAuthorization } from './authorization.rules.ts'
import type { Invoice } from './invoice.ts'

export type ListCharge = Reply<typeof listCharges>['items'][number]
export type ListedRefundOfInvoice = Reply<typeof listRefunds>['items'][number]
export type Delivery = Reply<typeof listInvoiceDeliveries>['items'][number]
export type InvoiceLink = Reply<typeof listInvoiceLinks>['items'][number]
export type SentReminder = Reply<typeof readInvoiceReminders>['items'][number]
export type LedgerEntry = Reply<typeof listLedger>['items'][number]

/** Everything that happened to an invoice, as far as it is read. */
export type InvoiceMovements = {
  charges: readonly ListCharge[]
  refunds: readonly ListedRefundOfInvoice[]
  deliveries: readonly Delivery[]
  links: readonly InvoiceLink[]
  reminders: readonly SentReminder[]
  ledger: readonly LedgerEntry[]
}

/** How often the charges are read while one is in progress, beside the events of the stream. */
const pollMs = 5_000

/** Reads an invoice by its id. Figures of money are read on every opening. */
export function useInvoice(invoiceId: string) {
  return useRead(readInvoice, { params: { id: invoiceId }, query: {} }, { staleMs: 0 })
}

/** Reads what happened to an issued invoice. `isComplete`: all of it is there; `error`: the first that failed. */
export function useMovements({ id, status }: Pick<Invoice, 'id' | 'status'>) {
  const input = { params: { id } }
  const options = { staleMs: 0, enabled: status !== 'DRAFT' }
  const charges = useRead(listCharges, input, options)
  const isInProgress = charges.data?.items.some(({ endedAt }) => endedAt === null) ?? false
  // the same read, again and again while the gateway or the payer has not answered
  useRead(listCharges, input, { ...options, enabled: isInProgress, pollMs })
  const refunds = useRead(listRefunds, input, options)
  const deliveries = useRead(listInvoiceDeliveries, input, options)
  const links = useRead(listInvoiceLinks, input, options)
  const reminders = useRead(readInvoiceReminders, input, options)
  const ledger = useRead(listLedger, { query: { invoiceId: id } }, options)
  const reads = [charges, refunds, deliveries, links, reminders, ledger]
  const movements: InvoiceMovements = {
    charges: charges.data?.items ?? [],
    refunds: refunds.data?.items ?? [],
    deliveries: deliveries.data?.items ?? [],
    links: links.data?.items ?? [],
    reminders: reminders.data?.items ?? [],
    ledger: ledger.data?.items ?? [],
  }
  return {
    movements,
    isComplete: status === 'DRAFT' || reads.every(({ data }) => data !== undefined),
    error: reads.find(({ error }) => error !== null)?.error ?? null,
  }
}

/** The authorization with which the invoice would be charged; undefined without one, or if the caller may not charge. */
export function useAuthorization(invoice: Invoice) {
  const may = useMay()
  const { userId, applicationId } = invoice
  const isOfUser = userId !== null && applicationId !== null
  const authorizations = useList(
    listAuthorizations,
    { query: { userId: userId ?? '', ...(applicationId && { applicationId }), limit: 100 } },
    { staleMs: 0, enabled: isOfUser && may(listAuthorizations) && may(chargeInvoiceByHand) },
  )
  return usableAuthorization(authorizations.items, invoice)
}
