import { createApplication } from '#contract/integrations/applications.ts'
import { requestCriticalScopes } from '#contract/integrations/critical-scopes.ts'
import { createKey } from '#contract/integrations/keys.ts'
import { scopes } from '#contract/permissions.ts'
import { newId } from '#platform/ids.ts'
import { only } from '#tests/support/elements.ts'
import type { Call } from './ask.ts'
import { type Home, ownApplication } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** A registered application of the home organization. Deletes older ones because of the limit. */
export async function registered(home: Home): Promise<string> {
  await roomForApplications(home)
  const { secret, owner } = home
  const { id } = await owner.call(createApplication, {
    body: {
      name: `Application ${secret} ${newId()}`,
      description: `For ${secret}`,
      origins: [`https://${secret}.test`],
      scopes: ['studio:assets:read'],
    },
  })
  return id
}

/**
 * Deletes the older applications and their grants in one statement: between two, another call could register
 * one more, and the second would delete an application whose grants the first has left.
 */
async function roomForApplications({ server, organization, owner }: Home): Promise<void> {
  const { id } = await ownApplication(server, owner)
  await server.sql(
    `with old as (
       select id from application where organization_id = $1 and id <> $2 order by id desc offset 100
     ), grants as (
       delete from chat_grant where organization_id = $1 and application_id in (select id from old)
     )
     delete from application where organization_id = $1 and id in (select id from old)`,
    [organization.id, id],
  )
}

async function keyed(home: Home): Promise<{ id: string; keyId: string }> {
  const id = await registered(home)
  await home.server.sql('delete from rate_window')
  const { id: keyId } = await home.owner.call(createKey, {
    params: { id },
    body: { name: `Key ${home.secret}` },
  })
  return { id, keyId }
}

/** An application with an open request for a critical scope. */
async function requested(home: Home): Promise<{ id: string; requestId: string }> {
  const id = await registered(home)
  await home.server.sql('delete from rate_window')
  const { items } = await home.owner.call(requestCriticalScopes, {
    params: { id },
    body: { scopes: ['crm:leads:convert'], purpose: `Converts the leads of ${home.secret}` },
  })
  return { id, requestId: only(items).id }
}

/** Good calls of external applications: see fixtures.ts. */
export const integrationFixtures: Record<string, Fixture> = {
  createApplication: async home => {
    await roomForApplications(home)
    return [
      // one text alone: what was tried by itself is taken when it is tried with others
      { body: { name: 'Application', slug: home.name('application').replaceAll(' ', '-') } },
      {
        body: {
          name: home.name('Application'),
          description: `For ${home.mark}`,
          origins: [`https://${home.mark}.test`],
          scopes: ['studio:assets:read', 'chat:messages:view'],
        },
      },
    ]
  },
  listApplications: async home => {
    await registered(home)
    return { query: { limit: 100, offset: 0, status: 'ACTIVE' } }
  },
  readApplication: async home => ({ params: { id: await registered(home) } }),
  updateApplication: async home => {
    const name = home.name('Application')
    return {
      params: { id: await registered(home) },
      body: {
        name,
        slug: name.toLowerCase().replaceAll(' ', '-'),
        description: `Still for ${home.mark}`,
        status: 'DISABLED',
        principalId: (await home.make.member()).id,
        origins: [`https://again.${home.mark}.test`],
        scopes: scopes.filter(scope => scope.startsWith('chat:')),
      },
    }
  },
  removeApplication: async home => ({ params: { id: await registered(home) } }),
  readOwnApplication: async () => ({}),
  createKey: async home => ({
    params: { id: await registered(home) },
    body: { name: home.name('Key'), expiresInDays: 30 },
  }),
  listKeys: async home => ({ params: { id: (await keyed(home)).id }, query: { limit: 100, offset: 0 } }),
  revokeKey: async home => ({ params: await keyed(home) }),
  grantCriticalScope: async home => ({
    params: { id: home.organization.id, applicationId: await registered(home) },
    body: { scope: 'crm:leads:convert', reason: `Their leads are converted by ${home.mark}` },
  }),
  requestCriticalScopes: async home => ({
    params: { id: await registered(home) },
    body: {
      scopes: ['crm:leads:convert', 'billing:charge'],
      purpose: `Converts and charges the leads of ${home.mark}`,
    },
  }),
  listScopeRequests: async home => ({
    params: { id: (await requested(home)).id },
    query: { status: 'OPEN', limit: 100, offset: 0 },
  }),
  withdrawScopeRequest: async home => ({ params: await requested(home) }),
  listOperatedApplications: async home => {
    await registered(home)
    return { params: { id: home.organization.id }, query: { limit: 100, offset: 0 } }
  },
  listOperatedScopeRequests: async home => {
    await requested(home)
    return { query: { status: 'OPEN', limit: 100, offset: 0 } }
  },
  answerScopeRequest: async home => {
    const { requestId } = await requested(home)
    return {
      params: { requestId },
      body: { decision: 'GRANT', reason: `Their leads are converted by ${home.mark}` },
    }
  },
  readCatalogue: async () => ({}),
}
