import { openPayPage } from '#contract/billing/pay-page.ts'
import { languageOf } from '#platform/http/html-page.ts'
import { streams } from '#platform/http/operation.ts'
import { findOpenAttempt } from '../charge.sql.ts'
import { settle } from '../settle.ts'
import { invoiceByLink } from './payment-page.access.ts'
import { invoicePage } from './payment-page.html.ts'
import { accountFor } from './payment-page.json.ts'

/** Programs that check mails look as well: only a payer whom the gateway sent back makes us ask it. */
export const open = streams(openPayPage, async ({ params: { token }, headers, world, request, reply }) => {
  const { link, invoice: seen } = await invoiceByLink(world.database, token)
  const { organizationId } = link
  const db = world.database.of(organizationId)
  const waiting = await findOpenAttempt(db, seen.id)
  const isBack = new URL(request.url, world.publicUrl).searchParams.has('back')
  if (waiting && isBack) await settle(world, { organizationId, id: waiting.id })
  const [{ invoice }, open, account] = await Promise.all([
    invoiceByLink(world.database, token),
    findOpenAttempt(db, seen.id),
    accountFor(db, seen.currency),
  ])
  return invoicePage(languageOf(headers), { invoice, token, account, open }).send(reply)
})
