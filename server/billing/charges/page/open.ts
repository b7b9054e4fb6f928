import { openPayPage } from '#contract/billing/pay-page.ts'
import { languageOf } from '#platform/page.ts'
import { streams } from '#platform/serve.ts'
import { settle } from '../settle.ts'
import { findOpenAttempt } from '../store.ts'
import { invoiceByLink } from './access.ts'
import { invoicePage } from './pages.ts'
import { accountFor } from './show.ts'

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
