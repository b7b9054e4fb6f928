import type { IncomingHttpHeaders } from 'node:http'
import { answerByLink, payByLink } from '#contract/billing/pay-page.ts'
import type { Charge } from '#contract/billing/shapes.ts'
import { GatewayRefused, GatewayUnknown, type SandboxDesk } from '#platform/adapters/gateway.ts'
import { languageOf, type Page, wantsPage } from '#platform/http/html-page.ts'
import { steps, type Transact, type World } from '#platform/http/operation.ts'
import { findAccountById } from '../../gateway/account/gateway-account.sql.ts'
import { opened } from '../../gateway/reach.ts'
import { showCharge } from '../answer.ts'
import type { AttemptRow } from '../charge.row.ts'
import { openPayment } from '../pay/open.ts'
import { settle } from '../settle.ts'
import { invoiceByLink, lockByLink } from './payment-page.access.ts'
import { type Came, pageAfter } from './payment-page.json.ts'

/** What a payer does at the desk of the sandbox. */
type Act = (desk: SandboxDesk, clientSecret: string) => ReturnType<SandboxDesk['pay']>
type Given = { world: World; transact: Transact; headers: IncomingHttpHeaders; params: { token: string } }

export const pay = steps(payByLink, input => {
  const { number, expires } = input.body
  if (number === undefined || expires === undefined) return paid(input)
  const [expiresMonth = 0, year = 0] = expires.split('/').map(Number)
  const card = { number, expiresMonth, expiresYear: 2_000 + (year % 100) }
  return paid(input, (desk, secret) => desk.pay(secret, card))
})

export const answer = steps(answerByLink, input =>
  paid(input, (desk, secret) => desk.answerIntent(secret, input.body.isYou === 'yes')),
)

/** Opens the payment of a link, or takes up the one that is open, lets the payer act, and looks what came of it. */
async function paid(
  { world, transact, headers, params: { token } }: Given,
  act?: Act,
): Promise<Charge | Page> {
  const { link } = await invoiceByLink(world.database, token)
  const { organizationId, invoice_id } = link
  const attempt = await openPayment(world, organizationId, null, begin =>
    transact(
      async tx => begin(tx, await lockByLink(tx, link)),
      { subject: invoice_id, changed: ['payment'], detail: { linkId: link.id } },
      organizationId,
    ),
  )
  const charge = await showCharge(world, organizationId, attempt)
  const came = act ? await acted(world, organizationId, attempt, charge, act) : { charge, isAsked: false }
  if (wantsPage(headers)) return pageAfter(world, languageOf(headers), token, came)
  return { ...came.charge, failureMessage: came.said ?? came.charge.failureMessage }
}

async function acted(
  world: World,
  organizationId: string,
  attempt: AttemptRow,
  charge: Charge,
  act: Act,
): Promise<Came> {
  const account = await findAccountById(world.database.of(organizationId), attempt.gateway_account_id)
  const desk = world.gateways.deskOf(opened(world.cipher, organizationId, account!))
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
  const settled = await settle(world, { organizationId, id: attempt.id })
  return { ...came, charge: await showCharge(world, organizationId, settled) }
}
