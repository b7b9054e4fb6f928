import { createPersonalToken } from '#contract/identity/personal-tokens.ts'
import { digestOf, newToken, prefixOf } from '#server/identity/personal-tokens/personal-token.format.ts'
import { addressToken } from '#server/identity/personal-tokens/url-credential.ts'
import { only } from '../elements.ts'
import { insertRows } from '../rows.ts'
import type { Person, TestServer } from '../test-server.ts'

/** A personal access token, created by its person. */
export async function makeToken(person: Person): Promise<string> {
  return (await person.call(createPersonalToken, { body: { name: 'Of a test' } })).token
}

/** A token of a person who may no longer call the API. */
export async function plantToken(server: TestServer, person: Person): Promise<string> {
  const token = newToken(person.organizationId)
  await insertRows(server, 'personal_token', [
    {
      organization_id: person.organizationId,
      person_id: person.id,
      digest: digestOf(token),
      prefix: prefixOf(token),
    },
  ])
  return token
}

/** The credential for the URL of a tool. */
export async function addressFor(server: TestServer, token: string): Promise<string> {
  const row = only(
    await server.sql<{ organization_id: string; id: string }>(
      'select organization_id, id from personal_token where digest = $1',
      [digestOf(token)],
    ),
  )
  const by = { organizationId: row.organization_id, sessionId: row.id }
  return addressToken(server.api.services.seals, by, Math.floor(Date.now() / 1000)).text
}
