import { createHmac } from 'node:crypto'
import type { Client } from '#sdk/client.ts'
import { only } from '../elements.ts'
import type { Person, TestServer } from '../test-server.ts'

/** The sign-in token of this person's session. */
export async function signInToken(server: TestServer, person: Pick<Person, 'sessionId'>): Promise<string> {
  const row = only(
    await server.sql<{ token: string }>('select token from session where id = $1', [person.sessionId]),
  )
  return `${row.token}.${createHmac('sha256', server.config.signInSecret).update(row.token).digest('base64')}`
}

/** A person who has signed in and chosen no organization. */
export async function signedInAccount(server: TestServer, person: Person): Promise<Client> {
  return server.client(await signInToken(server, person))
}
