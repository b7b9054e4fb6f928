import type { IncomingHttpHeaders } from 'node:http'
import { answerCardBank, giveCard, openCardPage } from '#contract/billing/card-page.ts'
import type { SandboxPages } from '#platform/adapters/gateway.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { type HtmlPage, languageOf, wantsHtml } from '#platform/http/html-page.ts'
import { type ServedOperation, type Services, stream, workflow } from '#platform/http/operation.ts'
import { gatewayOf } from '../../charges/till.ts'
import { asked } from '../../gateway/account/ask.ts'
import { findAccountById } from '../../gateway/account/gateway-account.sql.ts'
import { opened } from '../../gateway/reach.ts'
import { type AuthorizationRow, findAuthorization } from '../authorization.sql.ts'
import { customerOf } from '../cards/saved-card.sql.ts'
import { completeSetup } from '../complete.ts'
import { bankPage, cardPage, donePage, leavePage } from './card-page.html.ts'
import { findShown, type Shown } from './card-page.sql.ts'
import { namedBy } from './card-page.token.ts'

type Outcome = { status: 'ACTIVE' | 'REQUIRES_ACTION' }

const open = stream(openCardPage, async ({ params: { token }, headers, services, request, reply }) => {
  const language = languageOf(headers)
  const { organizationId, id, shown } = await shownBy(services, token)
  const isBack = new URL(request.url, services.publicUrl).searchParams.has('back')
  if (shown.status === 'ACTIVE' && !isBack) fail('CARD_PAGE_NOT_VALID')
  const seen = (await findAuthorization(services.database.of(organizationId), id))!
  const now = await asked(completeSetup(services, organizationId, seen), 'userId')
  if (now.status === 'ACTIVE') return donePage(language, shown).send(reply)
  const url = await asked(urlAtGateway(services, organizationId, seen, token), 'userId')
  if (url !== undefined) return leavePage(language, { shown, url }).send(reply)
  return cardPage(language, { token, shown }).send(reply)
})

const give = workflow(giveCard, async ({ params: { token }, body, headers, services }) => {
  const [month = '', year = ''] = body.expires.split('/')
  const card = {
    number: body.number,
    expiresMonth: Number(month),
    expiresYear: Number(year.length === 2 ? `20${year}` : year),
  }
  return act(services, token, headers, async (desk, clientSecret) =>
    (await desk.giveCard(clientSecret, card)).isAsked ? 'REQUIRES_ACTION' : 'ACTIVE',
  )
})

const answer = workflow(answerCardBank, async ({ params: { token }, body, headers, services }) =>
  act(services, token, headers, async (desk, clientSecret) => {
    await desk.answerSetup(clientSecret, body.answer === 'YES')
    return 'ACTIVE'
  }),
)

/** Where users give a card: /c/:token. */
export const cardPageOperations: ServedOperation[] = [open, give, answer]

/** The authorization that an address opens, while it waits for a card, or has it. */
async function shownBy(
  { database, seals }: Services,
  token: string,
): Promise<{ organizationId: string; id: string; shown: Shown }> {
  const named = namedBy(seals, token) ?? fail('CARD_PAGE_NOT_VALID')
  const shown = await findShown(database.of(named.organizationId), named.id)
  return { ...named, shown: shown ?? fail('CARD_PAGE_NOT_VALID') }
}

/** Where the gateway asks for the card of an authorization: one place, however often it is asked for. */
async function urlAtGateway(
  services: Services,
  organizationId: string,
  { id, application_id, external_user_id, gateway_account_id }: AuthorizationRow,
  token: string,
): Promise<string | undefined> {
  const db = services.database.of(organizationId)
  const customerId = (await customerOf(db, [application_id, external_user_id], gateway_account_id))!
  const gateway = await gatewayOf(services, organizationId, gateway_account_id)
  const metadata = { organizationId, authorizationId: id }
  const backUrl = `${services.publicUrl}/c/${token}?back=1`
  return gateway.openCardPage({ customerId, metadata, backUrl }, `${id}:page`)
}

/** What the user does at the gateway's desk, and what comes of it. A card that is refused can be given again. */
async function act(
  services: Services,
  token: string,
  headers: IncomingHttpHeaders,
  work: (desk: SandboxPages, clientSecret: string) => Promise<Outcome['status']>,
): Promise<Outcome | HtmlPage> {
  const language = languageOf(headers)
  const { organizationId, id, shown } = await shownBy(services, token)
  const db = services.database.of(organizationId)
  const row = (await findAccountById(db, shown.gateway_account_id))!
  const account = opened(services.cipher, organizationId, row)
  const desk = services.gateways.deskOf(account)
  if (!desk || shown.status === 'ACTIVE') fail('CARD_PAGE_NOT_VALID')
  const { clientSecret } = await asked(services.gateways.of(account).readSetup(shown.setup_id), 'number')
  try {
    const status = await asked(work(desk, clientSecret), 'number')
    if (status === 'ACTIVE') await completeSetup(services, organizationId, (await findAuthorization(db, id))!)
    if (!wantsHtml(headers)) return { status }
    return status === 'ACTIVE' ? donePage(language, shown) : bankPage(language, { token, shown })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'GATEWAY_REFUSED' || !wantsHtml(headers)) throw error
    return cardPage(language, { token, shown, complaint: error.extra.details?.[0]?.code ?? '' })
  }
}
