import type { Scope } from '#contract/permissions.ts'
import { newId } from '#platform/ids.ts'
import { type Client, connect } from '#sdk/client.ts'
import { digestOf, newKey, prefixOf } from '#server/integrations/keys/api-key.format.ts'
import { fewestShards, shardOf } from '#server/integrations/webhooks/shards/shard.ts'
import { defined, itemAt, only } from '../elements.ts'
import { insertRows, type SqlRunner } from '../rows.ts'
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
  await insertApplications(server, organization.id, [
    { id, slug, name, principalId, status, origins, scopes },
  ])
  if (options.url !== undefined) {
    await insertWebhooks(server, organization.id, [
      { applicationId: id, url: options.url, events: options.events },
    ])
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

/** Inserts many applications of a principal, without keys. Returns their ids. */
export async function plantApplications(
  server: SqlRunner,
  organizationId: string,
  principal: Pick<Person, 'id'>,
  count: number,
  scopes: readonly string[] = [],
): Promise<string[]> {
  const ids = Array.from({ length: count }, newId)
  const applications = ids.map(id => ({ id, slug: id, name: id, principalId: principal.id, scopes }))
  await insertApplications(server, organizationId, applications)
  return ids
}

/** Inserts applications without keys. */
export function insertApplications(
  server: SqlRunner,
  organizationId: string,
  applications: readonly {
    id: string
    slug: string
    name: string
    principalId: string
    status?: 'ACTIVE' | 'DISABLED'
    origins?: readonly string[]
    scopes?: readonly string[]
  }[],
): Promise<void> {
  return insertRows(
    server,
    'application',
    applications.map(({ id, slug, name, principalId, status = 'ACTIVE', origins = [], scopes = [] }) => ({
      organization_id: organizationId,
      id,
      slug,
      name,
      principal_id: principalId,
      status,
      origins,
      scopes,
    })),
  )
}

/** Inserts webhooks of applications, without secrets. An application that has one keeps it. */
export function insertWebhooks(
  server: SqlRunner,
  organizationId: string,
  webhooks: readonly {
    applicationId: string
    url: string
    events?: readonly string[]
    status?: 'ACTIVE' | 'HELD'
    maxPerSecond?: number | null
    ordered?: boolean
  }[],
): Promise<void> {
  return insertRows(
    server,
    'webhook_endpoint',
    webhooks.map(webhook => ({
      organization_id: organizationId,
      application_id: webhook.applicationId,
      shard: shardOf(webhook.applicationId, fewestShards),
      url: webhook.url,
      events: webhook.events ?? [],
      status: webhook.status ?? 'ACTIVE',
      max_per_second: webhook.maxPerSecond ?? null,
      is_ordered: webhook.ordered ?? false,
    })),
    { orSkip: true },
  )
}

/** Inserts another key of an application, also beyond its limit. */
export async function insertApplicationKey(
  server: SqlRunner,
  application: Pick<TestApplication, 'id' | 'organizationId' | 'principalId'>,
): Promise<{ key: string; keyId: string }> {
  return only(await insertApplicationKeys(server, [application]))
}

/** Inserts a key of each application. */
export async function insertApplicationKeys(
  server: SqlRunner,
  applications: readonly Pick<TestApplication, 'id' | 'organizationId' | 'principalId'>[],
): Promise<{ key: string; keyId: string }[]> {
  const keys = applications.map(({ organizationId }) => ({ key: newKey(organizationId), keyId: newId() }))
  const rows = applications.map(({ id, organizationId, principalId }, index) => {
    const { key, keyId } = itemAt(keys, index)
    return {
      organization_id: organizationId,
      id: keyId,
      application_id: id,
      name: 'Planted',
      digest: digestOf(key),
      prefix: prefixOf(key),
      created_by: principalId,
    }
  })
  await insertRows(server, 'application_key', rows)
  return keys
}
