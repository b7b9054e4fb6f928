import type pg from 'pg'
import { newId } from '#platform/ids.ts'
import { openTokens, type TokenUse } from '#server/identity/sessions/tokens.ts'
import { defined, only } from '#tests/support/elements.ts'
import { insertMembers, insertOrganization } from '#tests/support/identity/people.ts'
import { insertApplicationKey, plantApplications } from '#tests/support/integrations/applications.ts'
import { onPool } from '#tests/support/rows.ts'

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
  const id = await insertOrganization(onPool(sql), { name })
  const people = Array.from({ length: size }, () => ({ id: newId(), sessionId: newId() }))
  await insertMembers(
    onPool(sql),
    id,
    people.map((person, at) => ({
      ...person,
      name: `Person ${at}`,
      email: `${person.id}@example.test`,
      role: at === 0 ? 'OWNER' : 'MEMBER',
    })),
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
  const principalId = defined(people[0]).id
  const id = only(await plantApplications(onPool(sql), organizationId, { id: principalId }, 1, scopes))
  const application = { id, organizationId, principalId }
  const { key } = await insertApplicationKey(onPool(sql), application)
  return { id, key, organizationId }
}
