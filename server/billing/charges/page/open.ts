import { openPayPage } from '#contract/billing/pay-page.ts'
import { languageOf } from '#platform/http/html-page.ts'
import { stream } from '#platform/http/operation.ts'
import { pageSenderOf } from '#server/crm/index.ts'
import { findOpenAttempt } from '../charge.sql.ts'
import { settleAttempt } from '../settle.ts'
import { invoiceByLink } from './payment-page.access.ts'
import { invoicePage } from './payment-page.html.ts'
import { accountForCurrency } from './payment-page.json.ts'

/** Mail scanners open the page too, so the gateway is read only for a payer who returns from it. */
export const open = stream(openPayPage, async ({ params: { token }, headers, services, request, reply }) => {
  const { link, invoice: before } = await invoiceByLink(services.database, token)
  const { organizationId } = link
  const db = services.database.of(organizationId)
  const waiting = await findOpenAttempt(db, before.id)
  const isBack = new URL(request.url, services.publicUrl).searchParams.has('back')
  if (waiting && isBack) await settleAttempt(services, { organizationId, id: waiting.id })
  const [{ invoice }, open, account, sender] = await Promise.all([
    invoiceByLink(services.database, token),
    findOpenAttempt(db, before.id),
    accountForCurrency(db, before.currency),
    pageSenderOf(db),
  ])
  return invoicePage(languageOf(headers), { sender, invoice, token, account, open }).send(reply)
})
