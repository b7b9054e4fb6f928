import type { IncomingHttpHeaders } from 'node:http'
import { answerByLink, payByLink } from '#contract/billing/pay-page.ts'
import type { Charge } from '#contract/billing/shapes.ts'
import { GatewayRefused, GatewayUnknown, type SandboxPages } from '#platform/adapters/gateway.ts'
import { type HtmlPage, languageOf, wantsHtml } from '#platform/http/html-page.ts'
import { type Services, type Transact, workflow } from '#platform/http/operation.ts'
import { findAccountById } from '../../gateway/account/gateway-account.sql.ts'
import { opened } from '../../gateway/reach.ts'
import { showCharge } from '../answer.ts'
import type { AttemptRow } from '../charge.row.ts'
import { openPayment } from '../pay/open.ts'
import { settle } from '../settle.ts'
import { invoiceByLink, lockByLink } from './payment-page.access.ts'
import { type Came, pageAfter } from './payment-page.json.ts'

/** What a payer does at the desk of the sandbox. */
type Act = (desk: SandboxPages, clientSecret: string) => ReturnType<SandboxPages['pay']>
type Given = {
  services: Services
  transact: Transact
  headers: IncomingHttpHeaders
  params: { token: string }
}

export const pay = workflow(payByLink, input => {
  const { number, expires } = input.body
  if (number === undefined || expires === undefined) return paid(input)
  const [expiresMonth = 0, year = 0] = expires.split('/').map(Number)
  const card = { number, expiresMonth, expiresYear: 2_000 + (year % 100) }
  return paid(input, (desk, secret) => desk.pay(secret, card))
})

export const answer = workflow(answerByLink, input =>
  paid(input, (desk, secret) => desk.answerIntent(secret, input.body.isYou === 'yes')),
)

/** Opens the payment of a link, or takes up the one that is open, lets the payer act, and looks what came of it. */
async function paid(
  { services, transact, headers, params: { token } }: Given,
  act?: Act,
): Promise<Charge | HtmlPage> {
  const { link } = await invoiceByLink(services.database, token)
  const { organizationId, invoice_id } = link
  const attempt = await openPayment(services, organizationId, null, begin =>
    transact(
      async tx => begin(tx, await lockByLink(tx, link)),
      { subject: invoice_id, changed: ['payment'], detail: { linkId: link.id } },
      organizationId,
    ),
  )
  const charge = await showCharge(services, organizationId, attempt)
  const came = act ? await acted(services, organizationId, attempt, charge, act) : { charge, isAsked: false }
  if (wantsHtml(headers)) return pageAfter(services, languageOf(headers), token, came)
  return { ...came.charge, failureMessage: came.said ?? came.charge.failureMessage }
}

async function acted(
  services: Services,
  organizationId: string,
  attempt: AttemptRow,
  charge: Charge,
  act: Act,
): Promise<Came> {
  const account = await findAccountById(services.database.of(organizationId), attempt.gateway_account_id)
  const desk = services.gateways.deskOf(opened(services.cipher, organizationId, account!))
  if (!desk || charge.clientSecret === null) return { charge, isAsked: false }
  const came = await act(desk, charge.clientSecret).then(
    ({ status, failure }) => ({
      isAsked: status === 'requires_action',
      ...(failure && { said: failure.message }),
    }),
    (error: unknown) => {
      if (error instanceof GatewayRefused) return { isAsked: false, said: error.failure.message }
      // what was done shows when the intent is looked at
      if (error instanceof GatewayUnknown) return { isAsked: false }
      throw error
    },
  )
  const settled = await settle(services, { organizationId, id: attempt.id })
  return { ...came, charge: await showCharge(services, organizationId, settled) }
}
