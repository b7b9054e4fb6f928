import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acceptInvitationSignedIn, createInvitation, readInvitation } from '#contract/identity/invitations.ts'
import { getMember, removeMember } from '#contract/identity/organization.ts'
import { createRole } from '#contract/identity/roles.ts'
import { acceptInvitation, getSessionToken } from '#contract/identity/sessions.ts'
import { connect } from '#sdk/client.ts'
import { blocked } from '#tests/support/blocked.ts'
import { defined, mapAll } from '#tests/support/elements.ts'
import { invitationSecret } from '#tests/support/outbox.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

const password = 'Vierzig blaue Traktoren'

let server: TestServer
let org: Organization
let owner: Person

beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  owner = await org.person({ role: 'OWNER' })
})
beforeEach(() => server.sql('delete from rate_window'))
afterAll(() => server.close())

let count = 0
async function invited(
  role: object = { role: 'MEMBER' },
  email = `guest-${++count}@there.test`,
  who = owner,
) {
  await who.call(createInvitation, { body: { email, ...role } as never })
  return { email, secret: invitationSecret(server, email) }
}
const accept = (body: { secret: string; name?: string; password: string }) =>
  server.client().send(acceptInvitation, { body })
/** Signs in: the credential of the session, or undefined. */
async function signIn(email: string, withPassword = password): Promise<string | undefined> {
  const answer = await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: withPassword }),
  })
  return answer.headers.get('set-auth-token') ?? undefined
}

const missing = { status: 404, body: { errorCode: 'INVITATION_NOT_FOUND' } }
const wrong = { status: 401 }

describe('a new person', () => {
  test('gets an account and the membership, signs in, and is in the audit log', async () => {
    const { email, secret } = await invited({ role: 'ADMIN' })
    const { status, body } = await accept({ secret, name: ' Nora New ', password })
    expect(status).toBe(201)
    expect(body).toEqual({
      personId: body.personId,
      organizationId: org.id,
      email,
      isNew: true,
      role: 'ADMIN',
    })
    const member = await owner.call(getMember, { params: { personId: body.personId } })
    expect(member).toMatchObject({ name: 'Nora New', email, role: 'ADMIN' })
    const session = connect(server.url, { token: defined(await signIn(email)) })
    const { token } = await session.call(getSessionToken, {})
    expect((await server.client(token).send(getMember, { params: { personId: body.personId } })).status).toBe(
      200,
    )
    await server.relayed()
    const rows = await server.sql(
      'select operation, actor_id, auth, changed from audit where organization_id = $1 and subject = $2',
      [org.id, body.personId],
    )
    expect(rows).toEqual([
      {
        operation: 'POST /api/auth/invitations/accept',
        actor_id: body.personId,
        auth: 'public',
        changed: ['role'],
      },
    ])
  })

  test('gets the custom role of the invitation', async () => {
    const role = await owner.call(createRole, { body: { name: 'Chatters', permissions: ['CHAT_USE'] } })
    const { secret } = await invited({ role: 'CUSTOM', roleId: role.id })
    const { body } = await accept({ secret, name: 'Cora', password })
    const member = await owner.call(getMember, { params: { personId: body.personId } })
    expect(member).toMatchObject({ role: 'CUSTOM', roleId: role.id, roleName: 'Chatters' })
  })

  test('needs a name and a strong password; a failed attempt does not use up the link', async () => {
    const { email, secret } = await invited()
    expect(await accept({ secret, password })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'name' }] },
    })
    for (const weak of ['password1234', 'qwertyuiop12', `my ${email.split('@')[0]} key`]) {
      const answer = await accept({ secret, name: 'Nora', password: weak })
      expect(answer).toMatchObject({
        status: 400,
        body: { errorCode: 'PASSWORD_REFUSED', details: [{ path: 'password' }] },
      })
    }
    expect(await accept({ secret, name: 'Nora', password: 'short' })).toMatchObject({ status: 400 })
    expect(await server.sql('select 1 from person where email = $1', [email])).toEqual([])
    expect(await accept({ secret, name: 'Nora', password })).toMatchObject({ status: 201 })
  })
})

describe('a person with an account', () => {
  test('sends their password', async () => {
    const { email, secret } = await invited()
    const first = await accept({ secret, name: 'Two Jobs', password })
    const boss = await (await server.organization({ name: 'Second' })).person({ role: 'OWNER' })
    const second = await invited({ role: 'ADMIN' }, email, boss)
    expect((await server.client().call(readInvitation, { body: { secret: second.secret } })).isNew).toBe(
      false,
    )
    expect(await accept({ secret: second.secret, password: 'Achtzig rote Traktoren' })).toMatchObject(wrong)
    const { status, body } = await accept({ secret: second.secret, name: 'Other Name', password })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      personId: first.body.personId,
      organizationId: boss.organizationId,
      isNew: false,
    })
    const member = await boss.call(getMember, { params: { personId: body.personId } })
    expect(member).toMatchObject({ name: 'Two Jobs', role: 'ADMIN' })
  })

  test('is protected: after ten attempts even the right password is refused for a while', async () => {
    const { email, secret } = await invited()
    await accept({ secret, name: 'Guessed', password })
    const boss = await (await server.organization()).person({ role: 'OWNER' })
    const second = await invited({ role: 'MEMBER' }, email, boss)
    for (let guess = 0; guess < 10; guess++) {
      expect(await accept({ secret: second.secret, password: `wrong guess number ${guess}` })).toMatchObject(
        wrong,
      )
    }
    expect(await accept({ secret: second.secret, password })).toMatchObject({ status: 429 })
  })

  test('cannot accept if locked or without a password', async () => {
    const { email, secret } = await invited()
    const { body } = await accept({ secret, name: 'Locked', password })
    const boss = await (await server.organization()).person({ role: 'OWNER' })
    const second = await invited({ role: 'MEMBER' }, email, boss)
    await server.sql('update person set locked_at = now() where id = $1', [body.personId])
    expect(await accept({ secret: second.secret, password })).toMatchObject(wrong)
    await server.sql('update person set locked_at = null where id = $1', [body.personId])
    await server.sql('delete from credential where person_id = $1', [body.personId])
    expect(await accept({ secret: second.secret, password })).toMatchObject(wrong)
  })

  test('accepts without the password when signed in, for their own address only', async () => {
    const { email, secret } = await invited()
    await accept({ secret, name: 'Signed In', password })
    const session = connect(server.url, { token: defined(await signIn(email)) })
    const boss = await (await server.organization()).person({ role: 'OWNER' })
    const others = await invited({ role: 'MEMBER' }, 'somebody-else@there.test', boss)
    const theirs = await invited({ role: 'ADMIN' }, email, boss)
    expect(await session.send(acceptInvitationSignedIn, { body: { secret: others.secret } })).toMatchObject(
      missing,
    )
    const { status, body } = await session.send(acceptInvitationSignedIn, { body: { secret: theirs.secret } })
    expect({ status, ...body }).toMatchObject({ status: 201, isNew: false, role: 'ADMIN', email })
    await server.relayed()
    const rows = await server.sql(
      'select actor_id, auth from audit where organization_id = $1 and subject = $2',
      [boss.organizationId, body.personId],
    )
    expect(rows).toEqual([{ actor_id: body.personId, auth: 'account' }])
    const nobody = await server
      .client('nonsense')
      .send(acceptInvitationSignedIn, { body: { secret: theirs.secret } })
    expect(nobody).toMatchObject({ status: 401, body: { statusCode: 401 } })
  })

  test('a former member returns with the new role; a member gets ALREADY_MEMBER', async () => {
    const { email, secret } = await invited({ role: 'ADMIN' })
    const { body } = await accept({ secret, name: 'Returning', password })
    const params = { personId: body.personId }
    const again = await invited({ role: 'MEMBER' }, `other-${email}`)
    await server.sql('update invitation set email = $1 where email = $2', [email, again.email])
    expect(await accept({ secret: again.secret, password })).toMatchObject({
      status: 409,
      body: { errorCode: 'ALREADY_MEMBER' },
    })
    await owner.call(removeMember, { params })
    expect(await accept({ secret: again.secret, password })).toMatchObject({
      status: 201,
      body: { role: 'MEMBER' },
    })
    expect(await owner.call(getMember, { params })).toMatchObject({ role: 'MEMBER' })
  })
})

describe('the link', () => {
  test('works once, also concurrently', async () => {
    for (let round = 0; round < 4; round++) {
      await server.sql('delete from rate_window')
      const { email, secret } = await invited()
      const answers = await Promise.all(
        [1, 2, 3, 4].map(number =>
          accept({ secret, name: `Racer ${number}`, password: `${password} ${number}` }),
        ),
      )
      expect(answers.filter(answer => answer.status === 201)).toHaveLength(1)
      // who came after the account was made is asked for its password
      expect([201, 401, 404]).toEqual(expect.arrayContaining(answers.map(answer => answer.status)))
      const [{ people, members } = { people: 0, members: 0 }] = await server.sql<{
        people: number
        members: number
      }>(
        `select count(distinct p.id)::int as people, count(m.person_id)::int as members
         from person p left join membership m on m.person_id = p.id where p.email = $1`,
        [email],
      )
      expect({ people, members }).toEqual({ people: 1, members: 1 })
      expect(await accept({ secret, name: 'Late', password })).toMatchObject(missing)
    }
  })

  test('two organizations invite one new address: both are accepted, with one account', async () => {
    for (let round = 0; round < 4; round++) {
      const email = `shared-${++count}@there.test`
      const boss = await (await server.organization()).person({ role: 'OWNER' })
      const one = await invited({ role: 'MEMBER' }, email)
      const other = await invited({ role: 'MEMBER' }, email, boss)
      const answers = await mapAll([one, other], ({ secret }) => accept({ secret, name: 'Shared', password }))
      expect(answers.map(answer => answer.status)).toEqual([201, 201])
      expect(answers[0].body.personId).toBe(answers[1].body.personId)
    }
  })

  test.each([
    ['taken back', 'revoked_at = now()'],
    ['used', 'accepted_at = now()'],
    ['replaced', `secret_hash = 'another'`],
    ['run out', 'expires_at = now() - make_interval(secs => 0.001)'],
  ])('does not work if it is %s during the acceptance', async (_, change) => {
    const { email, secret } = await invited()
    const client = new pg.Client({ connectionString: server.config.databaseUrl })
    await client.connect()
    try {
      await client.query('begin')
      await client.query(`update invitation set ${change} where email = $1`, [email])
      const waiting = accept({ secret, name: 'Late', password })
      await blocked(server)
      await client.query('commit')
      expect(await waiting).toMatchObject(missing)
      expect(await server.sql('select 1 from person where email = $1', [email])).toEqual([])
    } finally {
      await client.end()
    }
  })

  test('wrong, expired, replaced and invented secrets get the same reply', async () => {
    const expired = await invited()
    await server.sql(
      'update invitation set expires_at = now() - make_interval(secs => 0.001) where email = $1',
      [expired.email],
    )
    const answers = await Promise.all(
      [expired.secret, 'x'.repeat(27), 'y'.repeat(20)].map(secret => accept({ secret, name: 'X', password })),
    )
    expect(answers[0]).toMatchObject(missing)
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
  })

  test('does not work for a suspended organization', async () => {
    const boss = await (await server.organization()).person({ role: 'OWNER' })
    const { secret } = await invited({ role: 'MEMBER' }, undefined, boss)
    await server.sql('update organization set suspended_at = now() where id = $1', [boss.organizationId])
    const answer = await accept({ secret, name: 'X', password })
    expect(answer).toMatchObject({ status: 403, body: { errorCode: 'ORGANIZATION_SUSPENDED' } })
  })

  test('allows twenty attempts an hour from one address', async () => {
    for (let round = 0; round < 20; round++) await accept({ secret: 'z'.repeat(27), name: 'X', password })
    const answer = await accept({ secret: 'z'.repeat(27), name: 'X', password })
    expect(answer).toMatchObject({ status: 429, body: { errorCode: 'RATE_LIMIT_EXCEEDED' } })
  })

  test.each([
    [{ name: 'X', password }],
    [{ secret: 'short', name: 'X', password }],
    [{ secret: 'x'.repeat(201), name: 'X', password }],
    [{ secret: 'x'.repeat(27), name: 'x'.repeat(121), password }],
    [{ secret: 'x'.repeat(27), name: 'Ann\nBob', password }],
    [{ secret: 'x'.repeat(27), name: 'X', password: 'p'.repeat(129) }],
    [{ secret: 'x'.repeat(27), name: 'X', password, role: 'OWNER' }],
  ])('refuses %j', async body => {
    expect(await accept(body as never)).toMatchObject({
      status: 400,
      body: { errorCode: 'VALIDATION_ERROR' },
    })
  })
})
