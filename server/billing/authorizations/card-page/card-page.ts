import type { IncomingHttpHeaders } from 'node:http'
import { answerCardBank, giveCard, openCardPage } from '#contract/billing/card-page.ts'
import type { SandboxDesk } from '#platform/adapters/gateway.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { languageOf, type Page, wantsPage } from '#platform/http/html-page.ts'
import { type Served, steps, streams, type World } from '#platform/http/operation.ts'
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

const open = streams(openCardPage, async ({ params: { token }, headers, world, request, reply }) => {
  const language = languageOf(headers)
  const { organizationId, id, shown } = await shownBy(world, token)
  const isBack = new URL(request.url, world.publicUrl).searchParams.has('back')
  if (shown.status === 'ACTIVE' && !isBack) fail('CARD_PAGE_NOT_VALID')
  const seen = (await findAuthorization(world.database.of(organizationId), id))!
  const now = await asked(completeSetup(world, organizationId, seen), 'userId')
  if (now.status === 'ACTIVE') return donePage(language, shown).send(reply)
  const url = await asked(urlAtGateway(world, organizationId, seen, token), 'userId')
  if (url !== undefined) return leavePage(language, { shown, url }).send(reply)
  return cardPage(language, { token, shown }).send(reply)
})

const give = steps(giveCard, async ({ params: { token }, body, headers, world }) => {
  const [month = '', year = ''] = body.expires.split('/')
  const card = {
    number: body.number,
    expiresMonth: Number(month),
    expiresYear: Number(year.length === 2 ? `20${year}` : year),
  }
  return act(world, token, headers, async (desk, clientSecret) =>
    (await desk.giveCard(clientSecret, card)).isAsked ? 'REQUIRES_ACTION' : 'ACTIVE',
  )
})

const answer = steps(answerCardBank, async ({ params: { token }, body, headers, world }) =>
  act(world, token, headers, async (desk, clientSecret) => {
    await desk.answerSetup(clientSecret, body.answer === 'YES')
    return 'ACTIVE'
  }),
)

/** Where users give a card: /c/:token. */
export const cardPageOperations: Served[] = [open, give, answer]

/** The authorization that an address opens, while it waits for a card, or has it. */
async function shownBy(
  { database, seals }: World,
  token: string,
): Promise<{ organizationId: string; id: string; shown: Shown }> {
  const named = namedBy(seals, token) ?? fail('CARD_PAGE_NOT_VALID')
  const shown = await findShown(database.of(named.organizationId), named.id)
  return { ...named, shown: shown ?? fail('CARD_PAGE_NOT_VALID') }
}

/** Where the gateway asks for the card of an authorization: one place, however often it is asked for. */
async function urlAtGateway(
  world: World,
  organizationId: string,
  { id, application_id, external_user_id, gateway_account_id }: AuthorizationRow,
  token: string,
): Promise<string | undefined> {
  const db = world.database.of(organizationId)
  const customerId = (await customerOf(db, [application_id, external_user_id], gateway_account_id))!
  const gateway = await gatewayOf(world, organizationId, gateway_account_id)
  const metadata = { organizationId, authorizationId: id }
  const backUrl = `${world.publicUrl}/c/${token}?back=1`
  return gateway.openCardPage({ customerId, metadata, backUrl }, `${id}:page`)
}

/** What the user does at the gateway's desk, and what comes of it. A card that is refused can be given again. */
async function act(
  world: World,
  token: string,
  headers: IncomingHttpHeaders,
  work: (desk: SandboxDesk, clientSecret: string) => Promise<Outcome['status']>,
): Promise<Outcome | Page> {
  const language = languageOf(headers)
  const { organizationId, id, shown } = await shownBy(world, token)
  const db = world.database.of(organizationId)
  const row = (await findAccountById(db, shown.gateway_account_id))!
  const account = opened(world.cipher, organizationId, row)
  const desk = world.gateways.deskOf(account)
  if (!desk || shown.status === 'ACTIVE') fail('CARD_PAGE_NOT_VALID')
  const { clientSecret } = await asked(world.gateways.of(account).readSetup(shown.setup_id), 'number')
  try {
    const status = await asked(work(desk, clientSecret), 'number')
    if (status === 'ACTIVE') await completeSetup(world, organizationId, (await findAuthorization(db, id))!)
    if (!wantsPage(headers)) return { status }
    return status === 'ACTIVE' ? donePage(language, shown) : bankPage(language, { token, shown })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'GATEWAY_REFUSED' || !wantsPage(headers)) throw error
    return cardPage(language, { token, shown, complaint: error.extra.details?.[0]?.code ?? '' })
  }
}
