import type pg from 'pg'
import { newId } from '#platform/ids.ts'
import { openTokens, type TokenUse } from '#server/identity/sessions/tokens.ts'
import { only } from '#tests/support/elements.ts'
import { insertMembers, insertOrganization } from '#tests/support/identity/people.ts'
import { insertApplicationKey, plantApplications } from '#tests/support/integrations/applications.ts'
import { onPool } from '#tests/support/rows.ts'

/** An organization of the bench with signed-in people, of whom the first is the owner. */
export type BenchOrganization = { id: string; owner: BenchPerson; people: BenchPerson[] }
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
  const owner = { id: newId(), sessionId: newId() }
  const others = Array.from({ length: size - 1 }, () => ({ id: newId(), sessionId: newId() }))
  const people = [owner, ...others]
  await insertMembers(
    onPool(sql),
    id,
    people.map((person, at) => ({
      ...person,
      name: `Person ${at}`,
      email: `${person.id}@example.test`,
      role: person === owner ? 'OWNER' : 'MEMBER',
    })),
  )
  return { id, owner, people }
}

/** A token for each person: for requests within 15 minutes, or to open a stream within a minute. */
export async function tokensOf(
  { id, people }: Pick<BenchOrganization, 'id' | 'people'>,
  use: TokenUse = 'session',
): Promise<string[]> {
  const signed = people.map(person =>
    tokens.sign(use, { personId: person.id, organizationId: id, sessionId: person.sessionId }),
  )
  return (await Promise.all(signed)).map(({ token }) => token)
}

/** An external application of the organization with one key, registered by its owner. */
export async function makeApplication(
  sql: pg.Pool,
  { id: organizationId, owner }: BenchOrganization,
  scopes: readonly string[],
): Promise<{ id: string; key: string; organizationId: string }> {
  const id = only(await plantApplications(onPool(sql), organizationId, owner, 1, scopes))
  const application = { id, organizationId, principalId: owner.id }
  const { key } = await insertApplicationKey(onPool(sql), application)
  return { id, key, organizationId }
}
