import { crc32 } from 'node:zlib'
import type { Scope } from '#contract/permissions.ts'
import { newId } from '#platform/ids.ts'
import { type Client, connect } from '#sdk/client.ts'
import { digestOf, newKey, prefixOf } from '#server/integrations/keys/api-key.format.ts'
import { defined } from '../elements.ts'
import type { Organization, Person, TestServer } from '../test-server.ts'

/** An organization; without `person`, the application needs a principal. */
type ApplicationOrganization = Pick<Organization, 'id'> & Partial<Pick<Organization, 'person'>>
type ApplicationOptions = {
  scopes?: readonly Scope[]
  /** By default a new member. */
  principal?: Pick<Person, 'id'>
  name?: string
  status?: 'ACTIVE' | 'DISABLED'
  origins?: readonly string[]
  /** With a URL the application gets a webhook for `events`, without a secret: see webhooks.ts. */
  url?: string
  events?: readonly string[]
}

/** An external application with one API key. */
export type TestApplication = {
  readonly id: string
  readonly organizationId: string
  readonly slug: string
  readonly name: string
  readonly keyId: string
  readonly key: string
  readonly principalId: string
  /** Calls with the API key. */
  readonly client: Client
  /** The same client for another API process. */
  at(url: string): Client
}

// a fixed number of digits, so that lists by name are in the order of creation
let count = 100_000

/** Inserts an application without calling an operation. Absent options are invented. */
export async function makeApplication(
  server: TestServer,
  organization: ApplicationOrganization,
  options: ApplicationOptions = {},
): Promise<TestApplication> {
  const id = newId()
  const slug = `application-${++count}`
  const { name = `Application ${count}`, scopes = [], origins = [], status = 'ACTIVE' } = options
  const principalId = (options.principal ?? (await defined(organization.person)())).id
  await server.sql(
    `insert into application (organization_id, id, slug, name, principal_id, status, origins, scopes)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [organization.id, id, slug, name, principalId, status, origins, scopes],
  )
  if (options.url !== undefined) {
    await server.sql(
      `insert into webhook_endpoint (organization_id, application_id, shard, url, events, status)
       values ($1, $2, $3, $4, $5, 'ACTIVE')`,
      [organization.id, id, crc32(id) % 64, options.url, options.events ?? []],
    )
  }
  const { key, keyId } = await insertApplicationKey(server, {
    id,
    organizationId: organization.id,
    principalId,
  })
  const at = (url: string) => connect(url, { apiKey: key }, { retries: 0 })
  return {
    id,
    organizationId: organization.id,
    slug,
    name,
    keyId,
    key,
    principalId,
    client: at(server.url),
    at,
  }
}

/** Inserts another key of an application, also beyond its limit. */
export async function insertApplicationKey(
  server: TestServer,
  { id, organizationId, principalId }: Pick<TestApplication, 'id' | 'organizationId' | 'principalId'>,
): Promise<{ key: string; keyId: string }> {
  const key = newKey(organizationId)
  const keyId = newId()
  await server.sql(
    `insert into application_key (organization_id, id, application_id, name, digest, prefix, created_by)
     values ($1, $2, $3, 'Planted', $4, $5, $6)`,
    [organizationId, keyId, id, digestOf(key), prefixOf(key), principalId],
  )
  return { key, keyId }
}
