import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { removeMember } from '#contract/identity/organization.ts'
import { setPreferences } from '#contract/identity/preferences.ts'
import { readApplication, removeApplication, updateApplication } from '#contract/integrations/applications.ts'
import {
  answerScopeRequest,
  grantCriticalScope,
  listOperatedApplications,
  listOperatedScopeRequests,
  listScopeRequests,
  requestCriticalScopes,
  withdrawScopeRequest,
} from '#contract/integrations/critical-scopes.ts'
import { newId } from '#platform/ids.ts'
import { findIn, only } from '#tests/support/elements.ts'
import { signedInAccount } from '#tests/support/identity/sign-in.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { openSmtpServer, type SmtpServer } from '#tests/support/smtp.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

const purpose = 'Our website converts leads that buy'
const reason = 'Their contract covers this use of data'

let smtp: SmtpServer
let server: TestServer
let org: Organization
let manager: Person
let operator: Person
beforeAll(async () => {
  smtp = await openSmtpServer()
  server = await startTestServer({ smtpUrl: smtp.url })
  org = await server.organization({ name: 'Fjord Textiles' })
  manager = await org.person({ permissions: ['INTEGRATIONS_MANAGE'] })
  operator = await server.operator()
})
afterAll(async () => {
  await server?.close()
  await smtp?.close()
})

const ask = (who: Person, id: string, body: object) =>
  who.send(requestCriticalScopes, { params: { id }, body: body as never })
const answer = (requestId: string, body: object, who = operator) =>
  who.send(answerScopeRequest, { params: { requestId }, body: body as never })
const withdraw = (who: Person, id: string, requestId: string) =>
  who.send(withdrawScopeRequest, { params: { id, requestId } })
const requestsOf = async (id: string, query = {}) =>
  (await manager.call(listScopeRequests, { params: { id }, query })).items
const scopesOf = async (id: string) => {
  const { scopes, criticalScopes } = await manager.call(readApplication, { params: { id } })
  return { scopes, critical: criticalScopes.map(({ scope, reason: why }) => [scope, why]) }
}
const inAudit = async (subject: string) => {
  await server.relayed()
  return server.sql('select operation, changed, auth, actor_id from audit where subject = $1 order by seq', [
    subject,
  ])
}
/** An application with one open request. */
async function requested(who = manager) {
  const app = await makeApplication(server, org, { scopes: ['crm:leads:read'] })
  const { items } = (await ask(who, app.id, { scopes: ['crm:leads:convert'], purpose })).body
  return { app, request: only(items) }
}
const closed = { status: 409, body: { errorCode: 'SCOPE_REQUEST_CLOSED' } }

describe('requesting', () => {
  test('creates one open request for each scope, which operators see with names and purpose', async () => {
    const app = await makeApplication(server, org, { name: 'Web shop' })
    const made = await ask(manager, app.id, {
      scopes: ['crm:leads:convert', 'billing:charge'],
      purpose: `  ${purpose} `,
    })
    expect(made.status).toBe(201)
    expect(made.body.items).toEqual(
      ['crm:leads:convert', 'billing:charge'].map(scope => ({
        id: expect.any(String),
        applicationId: app.id,
        scope,
        purpose,
        status: 'OPEN',
        requestedBy: { id: manager.id, name: manager.name },
        requestedAt: expect.any(String),
        closedAt: null,
        answer: null,
      })),
    )
    expect((await requestsOf(app.id)).map(({ id }) => id).sort()).toEqual(
      made.body.items.map(({ id }) => id).sort(),
    )
    expect((await scopesOf(app.id)).scopes).toEqual([])
    const { items } = await operator.call(listOperatedScopeRequests, { query: { limit: 100 } })
    expect(items.filter(({ applicationId }) => applicationId === app.id)).toEqual(
      [...made.body.items]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(request => ({
          ...request,
          organizationId: org.id,
          organizationName: 'Fjord Textiles',
          applicationName: 'Web shop',
          applicationStatus: 'ACTIVE',
        })),
    )
    expect(await inAudit(app.id)).toMatchObject([{ auth: 'session', changed: ['scopeRequests'] }])
  })

  test('is refused for an open request and for a scope that the application has, also at the same time', async () => {
    const { app } = await requested()
    expect(
      await ask(manager, app.id, { scopes: ['billing:charge', 'crm:leads:convert'], purpose }),
    ).toMatchObject({ status: 409, body: { errorCode: 'SCOPE_REQUEST_OPEN', scopes: ['crm:leads:convert'] } })
    expect(await requestsOf(app.id)).toHaveLength(1)
    const having = await makeApplication(server, org, { scopes: ['billing:refund'] })
    expect(await ask(manager, having.id, { scopes: ['billing:refund'], purpose })).toMatchObject({
      status: 409,
      body: { errorCode: 'SCOPE_ALREADY_GRANTED', scopes: ['billing:refund'] },
    })
    const fresh = await makeApplication(server, org)
    const answers = await Promise.all(
      [1, 2, 3].map(() => ask(manager, fresh.id, { scopes: ['billing:charge'], purpose })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  })

  test.each([
    [{ scopes: [], purpose }],
    [{ scopes: ['crm:leads:read'], purpose }],
    [{ scopes: ['billing:charge', 'billing:charge'], purpose }],
    [{ scopes: ['billing:charge'] }],
    [{ scopes: ['billing:charge'], purpose: `${'x'.repeat(18)}${' '.repeat(30)}` }],
    [{ scopes: ['billing:charge'], purpose: 'x'.repeat(1_001) }],
  ])('refuses %j', async body => {
    const app = await makeApplication(server, org)
    expect(await ask(manager, app.id, body)).toMatchObject({
      status: 400,
      body: { errorCode: 'VALIDATION_ERROR' },
    })
  })
})

describe('answering', () => {
  test('a grant gives the scope with its reason, is audited, and the person gets a mail', async () => {
    const { app, request } = await requested()
    const before = smtp.taken.length
    const granted = await answer(request.id, { decision: 'GRANT', reason: ` ${reason} ` })
    expect(granted).toMatchObject({
      status: 200,
      body: { id: request.id, status: 'GRANTED', answer: reason, closedAt: expect.any(String) },
    })
    expect(await scopesOf(app.id)).toEqual({
      scopes: ['crm:leads:read', 'crm:leads:convert'],
      critical: [['crm:leads:convert', reason]],
    })
    expect(await requestsOf(app.id, { status: 'GRANTED' })).toMatchObject([{ answer: reason }])
    expect(await inAudit(app.id)).toMatchObject([
      { auth: 'session' },
      {
        auth: 'operator',
        actor_id: operator.id,
        changed: ['scopes', 'scopeRequests'],
        operation: 'POST /api/operator/scope-requests/:requestId/answer',
      },
    ])
    await smtp.came(before + 1)
    const mail = findIn(smtp.taken, ({ raw }) => raw.includes(app.name))
    expect(mail.to).toEqual([manager.email])
    expect(mail.raw).toMatch(/^Subject: The scope crm:leads:convert was granted for /m)
    expect(mail.raw).toContain(reason)
    expect(await answer(request.id, { decision: 'REFUSE', reason })).toMatchObject(closed)
    expect(await withdraw(manager, app.id, request.id)).toMatchObject(closed)
  })

  test('the mail is in the language of the person', async () => {
    const person = await org.person({ permissions: ['INTEGRATIONS_MANAGE'] })
    await (await signedInAccount(server, person)).call(setPreferences, { body: { language: 'es' } })
    const { request } = await requested(person)
    const before = smtp.taken.length
    await answer(request.id, { decision: 'REFUSE', reason })
    await smtp.came(before + 1)
    const { raw } = findIn(smtp.taken, ({ to }) => to.includes(person.email))
    expect(raw).toMatch(/^Subject: Se ha denegado el permiso crm:leads:convert a /m)
    expect(raw).toContain('Recibes este correo porque pediste el permiso.')
    expect(raw).toContain(reason)
  })

  test('a refusal changes no scope, and a new request is possible', async () => {
    const { app, request } = await requested()
    expect(await answer(request.id, { decision: 'REFUSE', reason })).toMatchObject({
      status: 200,
      body: { status: 'REFUSED', answer: reason },
    })
    expect(await scopesOf(app.id)).toEqual({ scopes: ['crm:leads:read'], critical: [] })
    expect(await requestsOf(app.id)).toMatchObject([{ status: 'REFUSED', answer: reason }])
    expect(JSON.stringify(await requestsOf(app.id))).not.toContain(operator.id)
    expect((await ask(manager, app.id, { scopes: ['crm:leads:convert'], purpose })).status).toBe(201)
  })

  test('a grant without the request closes it, and a mail to a former member is not sent', async () => {
    const leaver = await org.person({ permissions: ['INTEGRATIONS_MANAGE'] })
    const { app, request } = await requested(leaver)
    const owner = await org.person({ role: 'OWNER' })
    await owner.send(removeMember, { params: { personId: leaver.id } })
    await operator.call(grantCriticalScope, {
      params: { id: org.id, applicationId: app.id },
      body: { scope: 'crm:leads:convert', reason },
    })
    expect(await requestsOf(app.id)).toMatchObject([{ id: request.id, status: 'GRANTED', answer: reason }])
    await expect
      .poll(() => server.sql(`select 1 from outgoing_mail where data ->> 'requestId' = $1`, [request.id]))
      .toEqual([])
    expect(smtp.taken.filter(({ to }) => to.includes(leaver.email))).toEqual([])
  })

  test('only one of two operators answers, and a change of other scopes survives', async () => {
    const { app, request } = await requested()
    const owner = await org.person({ role: 'OWNER' })
    const [one, two] = await Promise.all([
      answer(request.id, { decision: 'GRANT', reason }),
      answer(request.id, { decision: 'GRANT', reason }),
      owner.call(updateApplication, { params: { id: app.id }, body: { description: 'Changed' } }),
    ])
    expect([one.status, two.status].sort()).toEqual([200, 409])
    expect((await scopesOf(app.id)).critical).toHaveLength(1)
  })

  test('needs a reason, an existing request and an operator', async () => {
    const { request } = await requested()
    for (const body of [
      { decision: 'GRANT' },
      { decision: 'MAYBE', reason },
      { decision: 'REFUSE', reason: `${'x'.repeat(19)}${' '.repeat(9)}` },
    ])
      expect(await answer(request.id, body)).toMatchObject({
        status: 400,
        body: { errorCode: 'VALIDATION_ERROR' },
      })
    expect(await answer(newId(), { decision: 'GRANT', reason })).toMatchObject({
      status: 404,
      body: { errorCode: 'SCOPE_REQUEST_NOT_FOUND' },
    })
    const owner = await org.person({ role: 'OWNER' })
    expect((await answer(request.id, { decision: 'GRANT', reason }, owner)).status).toBe(403)
    expect((await owner.send(listOperatedScopeRequests, {})).status).toBe(403)
    expect((await owner.send(listOperatedApplications, { params: { id: org.id } })).status).toBe(403)
  })
})

describe('withdrawing', () => {
  test('closes an open request, also that of a colleague', async () => {
    const { app, request } = await requested()
    const colleague = await org.person({ permissions: ['INTEGRATIONS_MANAGE'] })
    expect(await withdraw(colleague, app.id, request.id)).toMatchObject({
      status: 200,
      body: { id: request.id, status: 'WITHDRAWN', answer: null, closedAt: expect.any(String) },
    })
    expect(await answer(request.id, { decision: 'GRANT', reason })).toMatchObject(closed)
    expect(await withdraw(manager, app.id, request.id)).toMatchObject(closed)
    expect(await withdraw(manager, app.id, newId())).toMatchObject({
      status: 404,
      body: { errorCode: 'SCOPE_REQUEST_NOT_FOUND' },
    })
  })

  test('happens with the deletion of the application', async () => {
    const { app, request } = await requested()
    await manager.send(removeApplication, { params: { id: app.id } })
    expect(await answer(request.id, { decision: 'GRANT', reason })).toMatchObject(closed)
    const { items } = await operator.call(listOperatedScopeRequests, {
      query: { status: 'WITHDRAWN', limit: 1 },
    })
    expect(items).toMatchObject([{ id: request.id }])
    expect((await manager.send(listScopeRequests, { params: { id: app.id } })).status).toBe(404)
  })
})

test('operators list the applications of an organization', async () => {
  const other = await server.organization()
  const app = await makeApplication(server, other, { name: 'Only one', scopes: ['billing:charge'] })
  expect(await operator.call(listOperatedApplications, { params: { id: other.id } })).toEqual({
    items: [{ id: app.id, slug: app.slug, name: 'Only one', status: 'ACTIVE', scopes: ['billing:charge'] }],
    total: 1,
    limit: 20,
    offset: 0,
  })
  expect(await operator.send(listOperatedApplications, { params: { id: newId() } })).toMatchObject({
    status: 404,
    body: { errorCode: 'ORGANIZATION_NOT_FOUND' },
  })
})

test("access: another organization's application, and people without the permission", async () => {
  const { app, request } = await requested()
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  const own = await makeApplication(server, { id: stranger.organizationId }, { principal: stranger })
  const plain = await org.person()
  expect((await ask(stranger, app.id, { scopes: ['billing:charge'], purpose })).status).toBe(404)
  expect((await withdraw(stranger, own.id, request.id)).status).toBe(404)
  expect((await withdraw(plain, app.id, request.id)).status).toBe(403)
  expect((await plain.send(listScopeRequests, { params: { id: app.id } })).status).toBe(403)
  expect((await stranger.send(listScopeRequests, { params: { id: app.id } })).status).toBe(404)
})
