import type pg from 'pg'
import { newId } from '#platform/ids.ts'
import { openTokens, type TokenUse } from '#server/identity/sessions/tokens.ts'
import { digestOf, newKey, prefixOf } from '#server/integrations/keys/api-key.format.ts'

/** An organization of the bench with signed-in people. */
export type BenchOrganization = { id: string; people: BenchPerson[] }
export type BenchPerson = { id: string; sessionId: string }

export const secrets = {
  SIGN_IN_SECRET: 'a sign-in secret of the bench that is long enough',
  SESSION_KEYS: 'bench:a session key of the bench that is long enough',
}
const [kid = '', secret = ''] = secrets.SESSION_KEYS.split(':')
const tokens = openTokens([{ kid, secret }])

/** Creates an organization of the highest plan; the first person is its owner, the others are members. */
export async function makeOrganization(sql: pg.Pool, name: string, size: number): Promise<BenchOrganization> {
  const id = newId()
  const people = Array.from({ length: size }, () => ({ id: newId(), sessionId: newId() }))
  const columns = [
    people.map(person => person.id),
    people.map((_, at) => `Person ${at}`),
    people.map(person => `${person.id}@example.test`),
    people.map((_, at) => (at === 0 ? 'OWNER' : 'MEMBER')),
    people.map(person => person.sessionId),
  ]
  await sql.query(`insert into organization (id, name, plan) values ($1, $2, 'ENTERPRISE')`, [id, name])
  await sql.query(
    `with p as (select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
       as p (id, name, email, role, session_id)),
     people as (insert into person (id, name, email, email_verified) select id, name, email, true from p),
     sessions as (insert into session (id, person_id, token, expires_at)
       select session_id, id, session_id, now() + interval '1 day' from p)
     insert into membership (organization_id, person_id, role, name, email) select $6, id, role, name, email from p`,
    [...columns, id],
  )
  return { id, people }
}

/** A token for each person: for requests within 15 minutes, or to open a stream within a minute. */
export async function tokensOf(
  { id, people }: BenchOrganization,
  use: TokenUse = 'session',
): Promise<string[]> {
  const signed = people.map(person =>
    tokens.sign(use, { personId: person.id, organizationId: id, sessionId: person.sessionId }),
  )
  return (await Promise.all(signed)).map(({ token }) => token)
}

/** An external application of the organization with one key, registered by its first person. */
export async function makeApplication(
  sql: pg.Pool,
  { id: organizationId, people }: BenchOrganization,
  scopes: readonly string[],
): Promise<{ id: string; key: string; organizationId: string }> {
  const [id, key] = [newId(), newKey(organizationId)]
  await sql.query(
    `insert into application (organization_id, id, slug, name, principal_id, status, scopes)
     values ($1, $2, $2, $2, $3, 'ACTIVE', $4)`,
    [organizationId, id, people[0]!.id, scopes],
  )
  await sql.query(
    `insert into application_key (organization_id, id, application_id, name, digest, prefix, created_by)
     values ($1, $2, $2, 'bench', $3, $4, $5)`,
    [organizationId, id, digestOf(key), prefixOf(key), people[0]!.id],
  )
  return { id, key, organizationId }
}
