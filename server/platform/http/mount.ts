import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { ErrorCode } from '#contract/errors.ts'
import { type Door, type Endpoint, pathAt } from '#contract/operation.ts'
import type { Tx } from '../data/database.ts'
import { type Actor, recordChange, type Subject } from '../events/audit.ts'
import { Refusal } from '../fail.ts'
import { challengesAt, type Gate } from './admission.ts'
import { recordedAdmission, recordRefusal } from './audited-admission.ts'
import { originOf } from './caller.ts'
import { type Successes, successes } from './counted-limits.ts'
import { Page } from './html-page.ts'
import { idempotencyKey, once } from './idempotency.ts'
import { inputCheck, readForms, takeBytes } from './input.ts'
import { type Form, takeForms, withForm } from './multipart-form.ts'
import { Instead, type Served, type Transact } from './operation.ts'
import { type Quota, setQuota } from './rate-limit-headers.ts'

/** Checks what leaves against the contract. In tests a breach is an error, in production a warning. */
export type Watch = {
  reply(endpoint: Endpoint, schema: TSchema | undefined, value: unknown): void
  refusal(endpoint: Endpoint, code: ErrorCode): void
}

/**
 * Puts one served operation behind each of its doors. One that takes a form lives in a room where only forms are read,
 * one that is made for browsers in a room of pages, one that takes bytes where nothing is read into them.
 */
export function mount(app: FastifyInstance, gate: Gate, served: Served, watch: Watch): void {
  const { takes, page, bytes } = served.endpoint
  if (!takes && !page && !bytes) route(app, gate, served, watch)
  else {
    app.register(async room => {
      if (takes) await takeForms(room)
      if (bytes) takeBytes(room)
      if (page) readForms(room)
      route(room, gate, served, watch)
    })
  }
}

function route(app: FastifyInstance, gate: Gate, served: Served, watch: Watch): void {
  const { endpoint } = served
  for (const door of Object.keys(endpoint.doors) as Door[]) {
    const run = runner(gate, served, door)
    const check = inputCheck(endpoint)
    app.route({
      method: endpoint.method,
      url: pathAt(door, endpoint),
      config: {
        operation: `${endpoint.method} ${pathAt(door, endpoint)}`,
        challenge: challengesAt(door),
        ...(isDetail(served) && { hasEntityTag: true }),
        ...(endpoint.tolerant && { isTolerant: true }),
        ...(endpoint.page && { isPage: true }),
      },
      ...(endpoint.bodyBytes && { bodyLimit: endpoint.bodyBytes }),
      schema: { response: responses(endpoint) },
      onRequest: recordedAdmission(gate, door, endpoint),
      preValidation: (request, _reply, done) => {
        try {
          check(request)
          done()
        } catch (error) {
          done(error as Error)
        }
      },
      handler: async (request, reply) => {
        try {
          const value = await run(request, reply)
          if (served.kind === 'streams') return value
          return answer(reply, endpoint, value, watch)
        } catch (error) {
          if (error instanceof Refusal) {
            watch.refusal(endpoint, error.code)
            await recordRefusal(gate.world, endpoint, request, error)
          }
          throw error
        }
      },
    })
  }
}

/** One thing, not a page of a list: pages change too often for a tag to be worth its cost. */
function isDetail({ kind, endpoint }: Served): boolean {
  if (kind !== 'reads' || endpoint.method !== 'GET') return false
  const { properties = {} } = (endpoint.reply ?? {}) as { properties?: object }
  return !['items', 'data', 'pagination'].some(name => name in properties)
}

function responses({ status, reply, alsoReplies }: Endpoint): Record<number, TSchema> {
  return {
    ...(reply && { [status]: reply }),
    ...(alsoReplies && { [alsoReplies.status]: alsoReplies.reply }),
  }
}

function answer(reply: FastifyReply, endpoint: Endpoint, value: unknown, watch: Watch): unknown {
  if (value instanceof Page) return value.send(reply)
  const isSecond = value instanceof Instead && endpoint.alsoReplies
  const { status, reply: schema } = isSecond || endpoint
  const body = isSecond ? value.body : value
  watch.reply(endpoint, schema, body)
  reply.code(status)
  return schema ? body : reply.send()
}

function runner(
  gate: Gate,
  served: Served,
  door: Door,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const { world } = gate
  const { database } = world
  const { endpoint } = served
  const operation = `${endpoint.method} ${pathAt(door, endpoint)}`

  const counted = successesOf(served)

  function given(request: FastifyRequest, reply: FastifyReply) {
    const { params, query, body, caller, headers } = request
    const heading = (name: string, value: string) => reply.header(world.headerPrefix + name, value)
    return {
      params,
      query,
      body,
      caller,
      headers,
      origin: originOf(request),
      world,
      heading,
      setQuota: (quota: Quota) => setQuota(reply, quota),
    }
  }

  if (served.kind === 'reads') {
    return (request, reply) =>
      served.run({ ...given(request, reply), db: database.of(request.caller?.organizationId ?? '') })
  }
  if (served.kind === 'streams') {
    return (request, reply) =>
      served.run({
        ...given(request, reply),
        db: database.of(request.caller?.organizationId ?? ''),
        request,
        reply,
      })
  }
  if (served.kind === 'steps') {
    return (request, reply) => {
      const input = given(request, reply)
      const organizationId = request.caller?.organizationId ?? ''
      const actor: Actor = request.caller ?? { door, personId: '', applicationId: null }
      // a call is counted with the first thing that it does
      let isCounted = false
      const transact: Transact = async (work, subject = {}, of = organizationId) => {
        const limit = isCounted ? undefined : counted
        const change = () =>
          database.transact(
            of,
            tx => (limit ? limit.count(tx, input.caller, work, input.setQuota) : work(tx)),
            tx =>
              tx.said.repeated
                ? Promise.resolve()
                : recordChange(tx, actor, input.origin, operation, subject),
          )
        try {
          const result = await (limit ? limit.inTurn(input.caller, change) : change())
          isCounted = true
          return result
        } finally {
          world.signal?.changed()
        }
      }
      const db = database.of(organizationId)
      const key = keyAt(door, endpoint, request)
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const step = (form: Form) => served.run({ ...input, db, transact, form, key, bytes })
      const run = counted
        ? async (form: Form) => {
            await counted.assertLeft(db, input.caller)
            return step(form)
          }
        : step
      return endpoint.takes ? withForm(request, run) : run(noForm)
    }
  }
  return async (request, answer) => {
    const input = given(request, answer)
    const { caller, origin } = input
    const key = keyAt(door, endpoint, request)
    const told: Subject = {}
    const audits = (subject: string, changed: readonly string[] = [], detail?: object) =>
      Object.assign(told, { subject, changed, detail })
    const work = (tx: Tx) => {
      const change = () => served.run({ ...input, tx, audits })
      if (key === undefined) return change()
      const place = {
        caller: caller.applicationId ?? caller.personId,
        operation,
        key,
        // of something else it is another call
        body: [request.params, request.body],
        status: endpoint.status,
      }
      return once(tx, world.cipher, place, change, told)
    }
    const transact = () =>
      database.transact(
        caller.organizationId,
        tx => (counted ? counted.count(tx, caller, work, input.setQuota) : work(tx)),
        tx => (tx.said.repeated ? Promise.resolve() : recordChange(tx, caller, origin, operation, told)),
      )
    const reply = await (counted ? counted.inTurn(caller, transact) : transact())
    world.signal?.changed()
    return reply
  }
}

function keyAt(
  door: Door,
  { method, repeatable }: Endpoint,
  { headers }: FastifyRequest,
): string | undefined {
  const takesKey = door === 'application' ? method === 'POST' : door === 'people' && repeatable
  return takesKey ? idempotencyKey(headers['idempotency-key']) : undefined
}

/** The limit of an operation, when only its successes count. Without a transaction there is nothing to count in. */
function successesOf({ kind, endpoint }: Served): Successes | undefined {
  if (endpoint.limit?.counts !== 'successes') return undefined
  if (kind === 'reads' || kind === 'streams' || endpoint.doors.anyone)
    throw new Error(`${endpoint.method} ${endpoint.path} cannot count successes`)
  return successes(endpoint.limit)
}

const noForm: Form = { async *[Symbol.asyncIterator]() {} }
