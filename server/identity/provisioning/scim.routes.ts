import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '#contract/limits.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { type AdmissionOptions, bearerChallenge, planCallRateLimits } from '#platform/http/admission.ts'
import { type Caller, originOf } from '#platform/http/caller.ts'
import { parseJson } from '#platform/http/input.ts'
import { RateLimitExceeded, setRateLimitHeaders } from '#platform/http/rate-limit-headers.ts'
import type { ProvisioningCallers } from './callers.ts'
import type { ScimRequest, ScimServices } from './scim-change.ts'
import { discoveryOf } from './scim-discovery.ts'
import { refuseInput, refuseUnknown, ScimError, scimErrorBody, scimType } from './scim-error.ts'
import { changeGroup, createGroup, getGroup, listGroups, removeGroup } from './scim-groups.ts'
import { filterOf, groupIn, groupPatchIn, userIn, userPatchIn } from './scim-input.ts'
import { changeUser, createUser, getUser, listUsers, removeUser } from './scim-users.ts'

const prefix = '/scim/v2'

export type ScimOptions = Pick<AdmissionOptions, 'callRateLimiter'> & {
  callers: ProvisioningCallers
  services: ScimServices
}

/**
 * Serves SCIM 2.0 (RFC 7643 and 7644) to identity providers at `/scim/v2`, in a Fastify scope of its own: its
 * bodies, errors and media type are those of the protocol (decision 0038).
 */
export async function scimRoutes(app: FastifyInstance, options: ScimOptions): Promise<void> {
  const { services } = options
  const discovery = discoveryOf(services.publicUrl)
  await app.register(
    async scope => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(
        ['application/scim+json', 'application/json'],
        { parseAs: 'buffer', bodyLimit: limits.bodyBytes },
        async (_request: FastifyRequest, bytes: Buffer) => parseJson(bytes),
      )
      scope.addHook('onRequest', async (request, reply) => admit(options, request, reply))
      scope.setErrorHandler(answerError)

      scope.get('/ServiceProviderConfig', async (_request, reply) =>
        send(reply, 200, discovery.serviceProviderConfig),
      )
      scope.get('/ResourceTypes', async (_request, reply) => send(reply, 200, discovery.resourceTypeList))
      scope.get('/Schemas', async (_request, reply) => send(reply, 200, discovery.schemaList))
      scope.get<{ Params: { id: string } }>('/ResourceTypes/:id', async ({ params }, reply) =>
        send(reply, 200, discovery.resourceTypes.find(({ id }) => id === params.id) ?? refuseUnknown()),
      )
      scope.get<{ Params: { id: string } }>('/Schemas/:id', async ({ params }, reply) =>
        send(reply, 200, discovery.schemas.find(({ id }) => id === params.id) ?? refuseUnknown()),
      )
      users(scope, requestOf)
      groups(scope, requestOf)
    },
    { prefix },
  )

  function requestOf(request: FastifyRequest): ScimRequest {
    const operation = `${request.method} ${request.routeOptions.url}`
    return { caller: request.caller, origin: originOf(request), services, operation }
  }
}

type RequestOf = (request: FastifyRequest) => ScimRequest
type WithId = { Params: { id: string } }

function users(scope: FastifyInstance, requestOf: RequestOf): void {
  scope.get('/Users', async (request, reply) => {
    const page = pageOf(request, limits.provisionedUsersAtOnce)
    return send(reply, 200, await listUsers(requestOf(request), filterIn(request), page))
  })
  scope.post('/Users', async (request, reply) => {
    const user = await createUser(requestOf(request), userIn(request.body))
    return send(reply.header('location', user.meta.location), 201, user)
  })
  scope.get<WithId>('/Users/:id', async (request, reply) =>
    send(reply, 200, await getUser(requestOf(request), request.params.id)),
  )
  scope.put<WithId>('/Users/:id', async (request, reply) =>
    send(reply, 200, await changeUser(requestOf(request), request.params.id, userIn(request.body))),
  )
  scope.patch<WithId>('/Users/:id', async (request, reply) =>
    send(reply, 200, await changeUser(requestOf(request), request.params.id, userPatchIn(request.body))),
  )
  scope.delete<WithId>('/Users/:id', async (request, reply) => {
    await removeUser(requestOf(request), request.params.id)
    return reply.code(204).send()
  })
}

function groups(scope: FastifyInstance, requestOf: RequestOf): void {
  scope.get('/Groups', async (request, reply) => {
    const page = pageOf(request, limits.provisionedGroupsAtOnce)
    const hasMembers = wantsMembers(request)
    return send(reply, 200, await listGroups(requestOf(request), filterIn(request), { ...page, hasMembers }))
  })
  scope.post('/Groups', async (request, reply) => {
    const group = await createGroup(requestOf(request), groupIn(request.body))
    return send(reply.header('location', group.meta.location), 201, group)
  })
  scope.get<WithId>('/Groups/:id', async (request, reply) =>
    send(reply, 200, await getGroup(requestOf(request), request.params.id, wantsMembers(request))),
  )
  scope.put<WithId>('/Groups/:id', async (request, reply) => {
    const scimRequest = requestOf(request)
    const change = groupIn(request.body)
    // a replaced group without members has none
    if (change.members.length === 0) change.members.push({ kind: 'replace', ids: [] })
    await changeGroup(scimRequest, request.params.id, change)
    return send(reply, 200, await getGroup(scimRequest, request.params.id, true))
  })
  scope.patch<WithId>('/Groups/:id', async (request, reply) => {
    await changeGroup(requestOf(request), request.params.id, groupPatchIn(request.body))
    // no body: a provider adds people one by one to groups with thousands
    return reply.code(204).send()
  })
  scope.delete<WithId>('/Groups/:id', async (request, reply) => {
    await removeGroup(requestOf(request), request.params.id)
    return reply.code(204).send()
  })
}

/** The checks of API-8: token, call rate limit, suspension, permission. */
async function admit(
  { callers, callRateLimiter }: ScimOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const [, token = ''] = /^bearer +(\S{1,300})$/i.exec(request.headers.authorization ?? '') ?? []
  const caller: Caller | undefined = await callers.byToken(token)
  if (!caller) fail('UNAUTHENTICATED')
  request.caller = caller
  const left = callRateLimiter.take(`scim/${caller.sessionId}`, planCallRateLimits[caller.plan])
  if (left) setRateLimitHeaders(reply, left)
  if (caller.isSuspended) fail('ORGANIZATION_SUSPENDED')
  if (!caller.permissions.has('ORG_MANAGE')) fail('PERMISSION_DENIED')
}

function answerError(
  error: Error & { code?: string; statusCode?: number },
  _request: FastifyRequest,
  reply: FastifyReply,
) {
  if (error instanceof RateLimitExceeded) {
    setRateLimitHeaders(reply, error.quota)
    reply.header('retry-after', String(error.extra.retryAfterSeconds))
  }
  const isKnown = error instanceof ScimError || error instanceof Refusal
  if (!isKnown && (error.statusCode === undefined || error.statusCode >= 500)) throw error
  const known = isKnown ? error : new ScimError(error.statusCode!, error.message, 'invalidSyntax')
  const { status, body } = scimErrorBody(known)
  if (status === 401) reply.header('www-authenticate', bearerChallenge)
  return send(reply, status, body)
}

function send(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).type(scimType).send(JSON.stringify(body))
}

function filterIn(request: FastifyRequest) {
  return filterOf((request.query as { filter?: unknown }).filter)
}

/** `startIndex` counts from 1; a smaller one means 1 (RFC 7644 section 3.4.2.4). Error: invalidValue. */
function pageOf(request: FastifyRequest, most: number): { startIndex: number; count: number } {
  const { startIndex = '1', count = String(most) } = request.query as { startIndex?: string; count?: string }
  const [first, length] = [Number(startIndex), Number(count)]
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(length) || first > limits.provisioningStartIndex)
    refuseInput(
      'invalidValue',
      `startIndex and count are whole numbers, and startIndex at most ${limits.provisioningStartIndex}.`,
    )
  return { startIndex: Math.max(1, first), count: Math.min(most, Math.max(0, length)) }
}

function wantsMembers(request: FastifyRequest): boolean {
  const { excludedAttributes, attributes } = request.query as Record<string, unknown>
  const names = (list: unknown) =>
    String(list)
      .toLowerCase()
      .split(/\s*,\s*/)
  if (typeof attributes === 'string') return names(attributes).includes('members')
  return !names(excludedAttributes ?? '').includes('members')
}
