import { listErrors, reportError } from '#contract/error-reports/errors.ts'
import { updateSecretNames } from '#contract/error-reports/secret-names.ts'
import { createErrorTicket, silenceErrorGroup } from '#contract/error-reports/tab.ts'
import { newId } from '#platform/ids.ts'
import { only } from '#tests/support/elements.ts'
import { createReporter } from '#tests/support/error-reports/reports.ts'
import type { Call } from './ask.ts'
import { type Home, ownApplication } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

const page = { limit: 100, offset: 0 }

/** An error of the calling application of the home, or of another application. */
async function reported(home: Home, isOwn = false): Promise<{ id: string; errorId: string }> {
  const { server, organization, owner, secret } = home
  const source = isOwn
    ? await ownApplication(server, owner)
    : await createReporter(server, organization, { principal: owner })
  const module = `module ${newId()}`
  const text = `For ${secret}`
  await source.client.call(reportError, {
    body: {
      message: `Broken for ${secret}`,
      module,
      endpoint: text,
      file: text,
      stack: text,
      context: { text },
    },
  })
  const { errors } = await source.client.call(listErrors, { query: { module } })
  return { id: source.id, errorId: only(errors).id }
}

const onError: Fixture = async home => ({ params: await reported(home) })

async function ticketed(home: Home): Promise<{ id: string; ticketId: string }> {
  const params = await reported(home)
  const body = { title: `Ticket ${home.secret}`, note: `For ${home.secret}` }
  const { id: ticketId } = await home.owner.call(createErrorTicket, { params, body })
  return { id: params.id, ticketId }
}

const filters = {
  severity: ['low'],
  state: 'UNRESOLVED',
  resolved: false,
  from: '2020-01-01',
  to: '2099-01-01T00:00:00.000Z',
}

/** Valid calls of error reporting; see fixtures.ts. */
export const errorFixtures: Record<string, Fixture> = {
  reportError: async home => ({
    body: {
      message: `Broken for ${home.mark} in ${newId()}`,
      module: home.name('module'),
      severity: 'high',
      stack: `Error: ${home.mark}\n    at a (/app/a.ts:1:1)`,
      file: `src/${home.mark}.ts`,
      line: 7,
      function: `of${home.mark}`,
      endpoint: `/${home.mark}/:id`,
      method: 'GET',
      userId: home.mark,
      requestId: `request-${home.mark}`,
      occurrences: 2,
      context: { note: home.mark },
    },
  }),
  listErrors: async home => {
    await reported(home, true)
    return [{ query: { ...page, ...filters } }, { query: { ...page, module: home.name('module') } }]
  },
  readErrorStatistics: async home => {
    await reported(home, true)
    return {}
  },
  listErrorGroups: async home => {
    const { id, errorId } = await reported(home)
    return [
      { params: { id }, query: { ...page, ...filters } },
      { params: { id }, query: { ...page, module: home.name('module') } },
      { params: { id }, query: { ...page, search: 'broken', ids: [errorId] } },
    ]
  },
  listOrganizationErrors: async home => {
    const { id, errorId } = await reported(home)
    return [
      { query: { ...page, ...filters } },
      { query: { ...page, applicationId: id, module: home.name('module') } },
      { query: { ...page, search: 'broken', ids: [errorId] } },
    ]
  },
  changeErrorGroups: async home => {
    const { id: applicationId, errorId } = await reported(home)
    const { errorId: otherId } = await reported(home)
    return [
      { body: { action: 'RESOLVE', ids: [errorId], graceMinutes: 15, dryRun: false } },
      {
        body: {
          action: 'SILENCE',
          ids: [otherId],
          silence: { type: 'DATE', until: '2099-01-01T00:00:00.000Z' },
        },
      },
      { body: { action: 'SILENCE', ids: [otherId], silence: { type: 'COUNT', count: 10 } } },
      {
        body: {
          action: 'REOPEN',
          filter: { applicationId, module: home.name('module'), search: home.mark, ...filters },
        },
      },
    ]
  },
  readErrorTab: async home => ({ params: { id: (await reported(home)).id }, query: { hours: 48 } }),
  updateErrorSettings: async home => ({
    params: { id: (await reported(home)).id },
    body: { ticketOnRegression: 'NEW', resolveWithTicket: true },
  }),
  readSecretNames: async home => {
    await home.owner.call(updateSecretNames, { body: { names: [home.secret] } })
    return {}
  },
  updateSecretNames: async home => ({ body: { names: [`${home.mark} name`] } }),
  readErrorGroup: onError,
  resolveErrorGroup: async home => ({ params: await reported(home), body: { graceMinutes: 15 } }),
  silenceErrorGroup: async home => [
    { params: await reported(home), body: { type: 'DATE', until: '2099-01-01T00:00:00.000Z' } },
    { params: await reported(home), body: { type: 'COUNT', count: 10 } },
  ],
  reopenErrorGroup: async home => {
    const params = await reported(home)
    await home.owner.call(silenceErrorGroup, { params, body: { type: 'FOREVER' } })
    return { params }
  },
  createErrorTicket: async home => ({
    params: await reported(home),
    body: { title: home.name('Ticket'), note: `For ${home.mark}` },
  }),
  listErrorTickets: async home => ({
    params: { id: (await ticketed(home)).id },
    query: { ...page, status: 'OPEN' },
  }),
  readErrorTicket: async home => ({ params: await ticketed(home) }),
  updateErrorTicket: async home => ({
    params: await ticketed(home),
    body: { status: 'IN_PROGRESS', title: home.name('Ticket'), note: `Still for ${home.mark}` },
  }),
}
