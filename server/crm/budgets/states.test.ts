import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as budgets from '#contract/crm/budgets.ts'
import * as portal from '#contract/crm/portal.ts'
import * as requests from '#contract/crm/signature-requests.ts'
import * as signatures from '#contract/crm/signatures.ts'
import * as links from '#contract/crm/signing-links.ts'
import * as page from '#contract/crm/signing-page.ts'
import { errors } from '#contract/errors.ts'
import { newId } from '#platform/ids.ts'
import { contractConsts } from '#tests/invariants/operations.ts'
import { blocked } from '#tests/support/blocked.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { openPortal, type TestCustomer } from '#tests/support/crm/portal.ts'
import { issueLink, signLink } from '#tests/support/crm/signing.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

// BUD-11 to BUD-17, LNKS-5 to LNKS-17: every action on a budget and its link in every state, its outcome, and that a
// refusal changes nothing

let server: TestServer
let owner: Person
let customer: TestCustomer
beforeAll(async () => {
  server = await startTestServer()
  owner = await (await server.organization()).person({ role: 'OWNER' })
  customer = await openPortal(server, owner)
})
afterAll(() => server?.close())
beforeEach(() => server.sql('delete from rate_window'))

/** The states of a budget; SENT is split by the state of the link. */
const states = [
  ...budgets.budgetStatuses,
  'SENT, link REVOKED',
  'SENT, link EXPIRED',
  'SENT, its last day over',
] as const
type State = (typeof states)[number]
/** A budget of the customer, its link, and the hash to sign. */
type BudgetCase = { id: string; linkId: string; token: string; documentHash: string }

async function inState(state: State): Promise<BudgetCase> {
  const { id } = await makeBudget(owner, { clientId: customer.clientId })
  if (state === 'DRAFT') return { id, linkId: newId(), token: 'none', documentHash: 'a'.repeat(64) }
  const link = await issueLink(owner, id)
  const [params, { token }] = [{ id }, link]
  if (state === 'SIGNED') await signLink(server, token, { documentHash: defined(link.documentHash) })
  if (state === 'DECLINED')
    await server.client().call(page.declineByLink, { params: { token }, body: { reason: '' } })
  if (state === 'CANCELLED') await owner.call(budgets.cancelBudget, { params })
  if (state === 'SENT, link REVOKED')
    await owner.call(links.revokeSigningLink, { params: { id, linkId: link.id } })
  if (state === 'SENT, link EXPIRED')
    await server.sql(
      'update signing_link set expires_at = now() - make_interval(secs => 0.001) where id = $1',
      [link.id],
    )
  if (state === 'SENT, its last day over')
    await owner.call(budgets.updateBudget, {
      params,
      body: { issueDate: '2020-01-01', validUntil: '2020-01-31' },
    })
  return { id, linkId: link.id, token, documentHash: defined(link.documentHash) }
}

type Answer = { status: number; body: unknown }
const on = ({ id }: BudgetCase) => ({ params: { id } })
const at = ({ token }: BudgetCase) => ({ params: { token } })
const ofLink = ({ id, linkId }: BudgetCase) => ({ params: { id, linkId } })
const signer = { signerName: 'Grace Hopper', signerEmail: 'grace@hopper.test' }
const signers = ['grace@hopper.test', 'ada@lovelace.test'].map(email => ({ name: email, email }))
const consent = { name: 'Grace Hopper', consent: 'es' as const }
const anyone = () => server.client()
const visitor = () => server.client(customer.token)

/** Keyed by operation and variant. */
const acts: Record<string, (it: BudgetCase) => Promise<Answer>> = {
  updateBudget: it => owner.send(budgets.updateBudget, { ...on(it), body: { title: 'Another' } }),
  'updateBudget in its internal notes': it =>
    owner.send(budgets.updateBudget, { ...on(it), body: { internalNotes: 'Mind the gap' } }),
  duplicateBudget: it => owner.send(budgets.duplicateBudget, on(it)),
  cancelBudget: it => owner.send(budgets.cancelBudget, on(it)),
  issueSigningLink: it => owner.send(links.issueSigningLink, { ...on(it), body: signer }),
  sendSigningLink: it => owner.send(links.sendSigningLink, ofLink(it)),
  revokeSigningLink: it => owner.send(links.revokeSigningLink, ofLink(it)),
  requestSignatures: it => owner.send(requests.requestSignatures, { ...on(it), body: { signers } }),
  'replaceSigner of no request': ({ id }) =>
    owner.send(requests.replaceSigner, {
      params: { id, requestId: id, signerId: id },
      body: { name: 'Grace Hopper', email: 'grace@hopper.test' },
    }),
  'stopSignatureRequest of no request': ({ id }) =>
    owner.send(requests.stopSignatureRequest, { params: { id, requestId: id } }),
  openSigningPage: it => anyone().send(page.openSigningPage, at(it)),
  openSigningDocument: it => anyone().send(page.openSigningDocument, at(it)),
  openSealedSigningDocument: it => anyone().send(page.openSealedSigningDocument, at(it)),
  'signByLink of something else': it =>
    anyone().send(page.signByLink, { ...at(it), body: { ...consent, documentHash: 'a'.repeat(64) } }),
  signByLink: it =>
    anyone().send(page.signByLink, { ...at(it), body: { ...consent, documentHash: it.documentHash } }),
  declineByLink: it => anyone().send(page.declineByLink, { ...at(it), body: { reason: 'No' } }),
  readPortalBudget: it => visitor().send(portal.readPortalBudget, on(it)),
  openPortalDocument: it => visitor().send(portal.openPortalDocument, on(it)),
  openSealedPortalDocument: it => visitor().send(portal.openSealedPortalDocument, on(it)),
  'signInPortal of something else': it =>
    visitor().send(portal.signInPortal, { ...on(it), body: { ...consent, documentHash: 'a'.repeat(64) } }),
  async signInPortal(it) {
    const { body } = await visitor().send(portal.readPortalBudget, on(it))
    const documentHash = body.documentHash ?? 'a'.repeat(64)
    return visitor().send(portal.signInPortal, { ...on(it), body: { ...consent, documentHash } })
  },
  declineInPortal: it => visitor().send(portal.declineInPortal, { ...on(it), body: { reason: 'No' } }),
  'declineInPortal without a session': it =>
    anyone().send(portal.declineInPortal, { ...on(it), body: { reason: 'No' } }),
  'signInPortal without a session': it =>
    anyone().send(portal.signInPortal, { ...on(it), body: { ...consent, documentHash: 'a'.repeat(64) } }),
  'readPortalBudget without a session': it => anyone().send(portal.readPortalBudget, on(it)),
  importSignature: ({ id: budgetId }) =>
    owner.send(signatures.importSignature, {
      params: { budgetId },
      body: {
        signedAt: '2020-01-02T03:04:05.678Z',
        signerName: 'Ada',
        signerEmail: 'ada@lovelace.test',
        ipAddress: '203.0.113.7',
        userAgent: 'Old browser',
        documentHash: 'a'.repeat(64),
      },
    }),
}

/**
 * The resulting status (`same` for no change) and the events, or the error code. States that a row does not list behave like
 * SENT while the budget is SENT.
 */
type Row = Record<budgets.BudgetStatus, string> & Partial<Record<State, string>>
const all = (outcome: string): Row => ({
  DRAFT: outcome,
  SENT: outcome,
  SIGNED: outcome,
  DECLINED: outcome,
  CANCELLED: outcome,
})
const [settled, noLink, notValid] = ['BUDGET_SETTLED', 'SIGNING_LINK_NOT_FOUND', 'SIGNING_LINK_NOT_VALID']
const [closed, notFound, differs] = ['SIGNING_LINK_CLOSED', 'BUDGET_NOT_FOUND', 'SIGNED_DOCUMENT_DIFFERS']
const isOver = { SIGNED: settled, DECLINED: settled, CANCELLED: settled }
const byLink = (outcome: string): Row => ({
  ...all(notValid),
  SENT: outcome,
  'SENT, link REVOKED': notValid,
  'SENT, link EXPIRED': notValid,
})
/** The portal shows sent, signed and declined budgets. */
const shown = { DRAFT: notFound, CANCELLED: notFound }
/** Expired budgets. */
const isPast = { 'SENT, its last day over': 'BUDGET_EXPIRED' }
const isAnswered = { SIGNED: settled, DECLINED: settled }
const outcomes: Record<string, Row> = {
  updateBudget: { ...all('same'), ...isOver },
  'updateBudget in its internal notes': all('same'),
  duplicateBudget: all('same'),
  cancelBudget: { ...all('CANCELLED'), SIGNED: settled, DECLINED: settled },
  issueSigningLink: { ...all('SENT'), ...isOver, ...isPast },
  sendSigningLink: {
    ...all('same'),
    ...isOver,
    ...isPast,
    DRAFT: noLink,
    'SENT, link REVOKED': closed,
    'SENT, link EXPIRED': closed,
  },
  revokeSigningLink: {
    ...all('same'),
    DRAFT: noLink,
    SIGNED: closed,
    DECLINED: closed,
    'SENT, link EXPIRED': closed,
  },
  requestSignatures: { ...all('SENT'), ...isOver, ...isPast },
  'replaceSigner of no request': all('SIGNATURE_REQUEST_NOT_FOUND'),
  'stopSignatureRequest of no request': all('SIGNATURE_REQUEST_NOT_FOUND'),
  // signers find the signed document there
  openSigningPage: { ...byLink('same'), SIGNED: 'same' },
  openSigningDocument: { ...byLink('same'), SIGNED: 'same' },
  // the organization has no certificate
  openSealedSigningDocument: { ...byLink('SEAL_NOT_FOUND'), SIGNED: 'SEAL_NOT_FOUND' },
  'signByLink of something else': { ...byLink(differs), ...isPast },
  signByLink: { ...byLink('SIGNED BUDGET_SIGNED'), ...isPast },
  declineByLink: byLink('DECLINED'),
  readPortalBudget: { ...all('same'), ...shown },
  openPortalDocument: { ...all('same'), ...shown },
  openSealedPortalDocument: { ...all('SEAL_NOT_FOUND'), ...shown },
  'signInPortal of something else': { ...all(differs), ...isPast, ...shown, ...isAnswered },
  signInPortal: { ...all('SIGNED BUDGET_SIGNED'), ...isPast, ...shown, ...isAnswered },
  declineInPortal: { ...all('DECLINED'), ...shown, ...isAnswered },
  'declineInPortal without a session': all('UNAUTHENTICATED'),
  'signInPortal without a session': all('UNAUTHENTICATED'),
  'readPortalBudget without a session': all('UNAUTHENTICATED'),
  importSignature: {
    ...all('SIGNED BUDGET_SIGNED'),
    DECLINED: settled,
    CANCELLED: settled,
  },
}
function expected(act: string, state: State): string {
  const [status] = state.split(',') as [budgets.BudgetStatus]
  return String(outcomes[act]?.[state] ?? outcomes[act]?.[status]).replace('same', status)
}

test('covers every operation that changes a budget or shows it to its signer', async () => {
  const promised = (await contractConsts()).filter(
    ({ file, contract: { method, path } }) =>
      file.startsWith('contract/crm/') &&
      (path.startsWith('/s/:token') ||
        /^\/portal\/budgets\/:id/.test(path) ||
        (/^\/budgets\/:(id|budgetId)\b/.test(path) && method !== 'GET' && !path.endsWith('/pdf-address'))),
  )
  const names = new Set(Object.keys(acts).map(act => act.split(' ')[0]))
  expect([...names].sort()).toEqual(promised.map(({ name }) => name).sort())
})

/** Everything that is stored about budgets, and their events. */
function storedRows({ id }: BudgetCase): Promise<unknown> {
  return server.sql(
    `select b.*, (select count(*) from budget_signature where organization_id = $1 and budget_id = $2) as signatures,
       (select count(*) from budget_event where organization_id = $1 and budget_id = $2 and kind <> 'VIEWED') as events,
       (select string_agg(concat(used_at, declined_at, revoked_at, mailed_at, token_digest), ' ' order by id)
        from signing_link where organization_id = $1 and budget_id = $2) as links
     from budget b where b.organization_id = $1 and b.id = $2`,
    [owner.organizationId, id],
  )
}
async function emittedEvents(its: BudgetCase[]): Promise<Map<string, string[]>> {
  await server.relayed()
  const ids = its.map(({ id }) => id)
  const rows = await server.sql<{ id: string; name: string }>(
    `select data ->> 'budgetId' as id, name from event where data ->> 'budgetId' = any($1) order by seq`,
    [ids],
  )
  return Map.groupBy(rows, ({ id }) => id) as never
}
/** A refusal changes nothing, so the budget can be used for the next action. */
const left = new Map<State, BudgetCase>()

test.each(Object.keys(acts))('%s', async act => {
  const all: BudgetCase[] = []
  for (const state of states) all.push(left.get(state) ?? (await inState(state)))
  left.clear()
  const snapshot = async () => ({
    events: await emittedEvents(all),
    rows: await Promise.all(all.map(storedRows)),
  })
  const before = await snapshot()
  const answers = await Promise.all(all.map(defined(acts[act])))
  const after = await snapshot()
  const result = states.map(async (state, n) => {
    const [it, answer] = [itemAt(all, n), itemAt(answers, n)]
    const news = (after.events.get(it.id)?.length ?? 0) - (before.events.get(it.id)?.length ?? 0)
    const isAsItWas = isDeepStrictEqual(before.rows[n], after.rows[n]) && news === 0
    if (isAsItWas) left.set(state, it)
    if (answer.status < 300) {
      const { status } = await owner.call(budgets.readBudget, on(it))
      return [state, [status, ...(news === 0 ? [] : ['BUDGET_SIGNED'])].join(' ')]
    }
    const { message } = answer.body as { message: string }
    const codes = [...named].filter(
      code => errors[code].text === message && errors[code].status === answer.status,
    )
    return [state, `${codes.join(' or ')}${isAsItWas ? '' : ', and is changed'}`]
  })
  expect(Object.fromEntries(await Promise.all(result))).toEqual(
    Object.fromEntries(states.map(state => [state, expected(act, state)])),
  )
})
// these replies have no code of their own; only their messages differ (BUD-19, SIG-5)
const named = [
  'BUDGET_SETTLED',
  'SIGNING_LINK_NOT_FOUND',
  'SIGNING_LINK_NOT_VALID',
  'SIGNING_LINK_CLOSED',
  'BUDGET_NOT_FOUND',
  'SIGNED_DOCUMENT_DIFFERS',
  'UNAUTHENTICATED',
  'BUDGET_EXPIRED',
  'SIGNATURE_REQUEST_NOT_FOUND',
  'SEAL_NOT_FOUND',
] as const

test.each(['issueSigningLink', 'requestSignatures'])(
  '%s, of a budget that changes each time that its document was made',
  async name => {
    const it = await inState('DRAFT')
    /** Changes the budget and holds its lock until `release`; waiting requests continue in order of arrival. */
    const hold = async (title: string) => {
      const client = new pg.Client({ connectionString: server.config.databaseUrl })
      await client.connect()
      await client.query('begin; lock table budget in exclusive mode')
      await client.query('update budget set title = $2 where id = $1', [it.id, title])
      return async () => {
        await client.query('commit')
        await client.end()
      }
    }
    let release = await hold('1')
    const answer = defined(acts[name])(it)
    for (const title of ['2', '3']) {
      await blocked(server)
      const next = hold(title)
      await blocked(server, 2)
      await release()
      release = await next
    }
    await blocked(server)
    await release()
    expect(refusalOf(await answer)).toEqual([409, 'BUDGET_UPDATE_CONFLICT'])
    expect((await owner.call(links.listSigningLinks, on(it))).items).toEqual([])
  },
)
