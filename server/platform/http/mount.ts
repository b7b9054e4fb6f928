import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { ErrorCode } from '#contract/errors.ts'
import { type AuthKind, type Operation, pathAt } from '#contract/operation.ts'
import type { Tx } from '../data/db.ts'
import { announceChange } from '../events/announced-changes.ts'
import { type AuditActor, type AuditSubject, recordOutbox } from '../events/audit.ts'
import { Refusal } from '../fail.ts'
import type { Services } from '../services.ts'
import { type AdmissionOptions, challengesAt } from './admission.ts'
import { auditDenial, auditedAdmission } from './audited-admission.ts'
import { originOf } from './caller.ts'
import { type SuccessLimit, successLimit } from './counted-limits.ts'
import { HtmlPage } from './html-page.ts'
import { idempotentCall, parseIdempotencyKey, runOnce } from './idempotency.ts'
import { inputCheck, parseRawBody, parseUrlEncodedForms } from './input.ts'
import { type Form, parseForms, withForm } from './multipart-form.ts'
import { AlternateReply, type ServedOperation, type Transact } from './operation.ts'
import { type RateLimitState, setRateLimitHeaders } from './rate-limit-headers.ts'

/** Admission, and the services of the operations. */
export type MountOptions = AdmissionOptions & { services: Services }

/** Checks replies and errors against the contract. A breach fails tests and is logged in production. */
export type ContractCheck = {
  reply(contract: Operation, schema: TSchema | undefined, value: unknown): void
  error(contract: Operation, code: ErrorCode): void
}

/**
 * Adds the routes of an operation, one for each kind of caller. Forms, HTML pages and raw bodies need body
 * parsers of their own, so each has a separate Fastify scope.
 */
export function mount(
  app: FastifyInstance,
  options: MountOptions,
  served: ServedOperation,
  contractCheck: ContractCheck,
): void {
  const { requestType, isHtmlPage, takesRawBody } = served.contract
  if (!requestType && !isHtmlPage && !takesRawBody) route(app, options, served, contractCheck)
  else {
    app.register(
      named(served, async (scope: FastifyInstance) => {
        if (requestType) await parseForms(scope)
        if (takesRawBody) parseRawBody(scope)
        if (isHtmlPage) parseUrlEncodedForms(scope)
        route(scope, options, served, contractCheck)
      }),
    )
  }
}

/** The same plugin with a name: for one without, Fastify looks through every module that is loaded. */
function named<Plugin extends object>({ contract }: ServedOperation, plugin: Plugin): Plugin {
  const displayName = `${contract.method} ${contract.path}`
  return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: displayName })
}

function route(
  app: FastifyInstance,
  options: MountOptions,
  served: ServedOperation,
  contractCheck: ContractCheck,
): void {
  const { contract } = served
  for (const auth of Object.keys(contract.auth) as AuthKind[]) {
    const run = runnerFor(options, served, auth)
    const check = inputCheck(contract)
    app.route({
      method: contract.method,
      url: pathAt(auth, contract),
      config: {
        operation: `${contract.method} ${pathAt(auth, contract)}`,
        challenge: challengesAt(auth),
        ...(isDetail(served) && { hasEntityTag: true }),
        ...(contract.isLenient && { isLenient: true }),
        ...(contract.isHtmlPage && { isPage: true }),
      },
      ...(contract.bodyBytes && { bodyLimit: contract.bodyBytes }),
      schema: { response: responses(contract) },
      onRequest: auditedAdmission(options, auth, contract),
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
          if (served.kind === 'stream') return value
          return answer(reply, contract, value, contractCheck)
        } catch (error) {
          if (error instanceof Refusal) {
            contractCheck.error(contract, error.code)
            await auditDenial(options.services, contract, request, error)
          }
          throw error
        }
      },
    })
  }
}

/** A single object: pages of lists change too often for an ETag to pay off. */
function isDetail({ kind, contract }: ServedOperation): boolean {
  if (kind !== 'query' || contract.method !== 'GET') return false
  const { properties = {} } = (contract.reply ?? {}) as { properties?: object }
  return !['items', 'data', 'pagination'].some(name => name in properties)
}

function responses({ status, reply, alternateReply }: Operation): Record<number, TSchema> {
  return {
    ...(reply && { [status]: reply }),
    ...(alternateReply && { [alternateReply.status]: alternateReply.reply }),
  }
}

function answer(
  reply: FastifyReply,
  contract: Operation,
  value: unknown,
  contractCheck: ContractCheck,
): unknown {
  if (value instanceof HtmlPage) return value.send(reply)
  const isSecond = value instanceof AlternateReply && contract.alternateReply
  const { status, reply: schema } = isSecond || contract
  const body = isSecond ? value.body : value
  contractCheck.reply(contract, schema, body)
  reply.code(status)
  return schema ? body : reply.send()
}

type Runner = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
type ServedAs<Kind> = Extract<ServedOperation, { kind: Kind }>

/** The parts that all calls of an operation by one kind of caller share. */
type RunnerOptions = {
  services: Services
  auth: AuthKind
  /** The name of the operation in the audit log. */
  operation: string
  successCounter: SuccessLimit | undefined
}

function runnerFor({ services }: MountOptions, served: ServedOperation, auth: AuthKind): Runner {
  const { contract } = served
  const operation = `${contract.method} ${pathAt(auth, contract)}`
  const options = { services, auth, operation, successCounter: successLimitOf(served) }
  if (served.kind === 'workflow') return workflowRunner(options, served)
  if (served.kind === 'command') return commandRunner(options, served)
  return (request, reply) => {
    const db = services.database.of(request.caller?.organizationId ?? '')
    const input = { ...inputOf(services, request, reply), db }
    return served.kind === 'query' ? served.run(input) : served.run({ ...input, request, reply })
  }
}

function inputOf(services: Services, request: FastifyRequest, reply: FastifyReply) {
  const { params, query, body, caller, headers } = request
  const setHeader = (name: string, value: string) => reply.header(services.headerPrefix + name, value)
  return {
    params,
    query,
    body,
    caller,
    headers,
    origin: originOf(request),
    services,
    setHeader,
    setRateLimit: (quota: RateLimitState) => setRateLimitHeaders(reply, quota),
  }
}

function workflowRunner(options: RunnerOptions, served: ServedAs<'workflow'>): Runner {
  const { services, auth, successCounter } = options
  const { contract } = served
  return (request, reply) => {
    const input = inputOf(services, request, reply)
    const db = services.database.of(request.caller?.organizationId ?? '')
    const given = {
      ...input,
      db,
      transact: transactOf(options, contract, request, input),
      idempotencyKey: keyAt(auth, contract, request),
      rawBody: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    }
    const run = async (form: Form) => {
      await successCounter?.assertLeft(db, input.caller)
      return served.run({ ...given, form })
    }
    return contract.requestType ? withForm(request, run) : run(noForm)
  }
}

/** The transactions of one call of a workflow, each with its own audit row. The first one counts the call. */
function transactOf(
  { services, auth, operation, successCounter }: RunnerOptions,
  contract: Operation,
  request: FastifyRequest,
  { caller, origin, params, setRateLimit }: ReturnType<typeof inputOf>,
): Transact {
  const actor: AuditActor = request.caller ?? { auth, personId: '', applicationId: null }
  let isCounted = false
  return async (work, subject = {}, organizationId = request.caller?.organizationId ?? '') => {
    const limit = isCounted ? undefined : successCounter
    const change = () =>
      services.database.transact(
        organizationId,
        tx => (limit ? limit.count(tx, caller, work, setRateLimit) : work(tx)),
        tx => {
          if (tx.pending.isReplay) return Promise.resolve()
          announceChange(tx, actor, contract, subject, params)
          return recordOutbox(tx, actor, origin, operation, subject)
        },
      )
    try {
      const result = await (limit ? limit.inTurn(caller, change) : change())
      isCounted = true
      return result
    } finally {
      services.wakeUp?.changed()
    }
  }
}

function commandRunner(
  { services, auth, operation, successCounter }: RunnerOptions,
  served: ServedAs<'command'>,
): Runner {
  const { contract } = served
  return async (request, answer) => {
    const input = inputOf(services, request, answer)
    const { caller, origin } = input
    const key = keyAt(auth, contract, request)
    const auditSubject: AuditSubject = {}
    const audit = (subject: string, changed: readonly string[] = [], detail?: object) =>
      Object.assign(auditSubject, { subject, changed, detail })
    const work = (tx: Tx) => {
      const change = () => served.run({ ...input, tx, audit })
      if (key === undefined) return change()
      // the same key with other parameters is another call
      const call = idempotentCall({ ...caller, auth }, contract, key, [request.params, request.body])
      return runOnce(tx, services.cipher, call, change, auditSubject)
    }
    const transact = () =>
      services.database.transact(
        caller.organizationId,
        tx => (successCounter ? successCounter.count(tx, caller, work, input.setRateLimit) : work(tx)),
        tx => {
          if (tx.pending.isReplay) return Promise.resolve()
          announceChange(tx, caller, contract, auditSubject, input.params)
          return recordOutbox(tx, caller, origin, operation, auditSubject)
        },
      )
    const reply = await (successCounter ? successCounter.inTurn(caller, transact) : transact())
    services.wakeUp?.changed()
    return reply
  }
}

function keyAt(
  auth: AuthKind,
  { method, isIdempotent }: Operation,
  { headers }: FastifyRequest,
): string | undefined {
  const takesKey = auth === 'apiKey' ? method === 'POST' : auth === 'session' && isIdempotent
  return takesKey ? parseIdempotencyKey(headers['idempotency-key']) : undefined
}

/**
 * The limit of an operation if only its successes count. Without a transaction there is nothing to count in.
 */
function successLimitOf({ kind, contract }: ServedOperation): SuccessLimit | undefined {
  if (contract.limit?.counts !== 'successes') return undefined
  if (kind === 'query' || kind === 'stream' || contract.auth.public)
    throw new Error(`${contract.method} ${contract.path} cannot count successes`)
  return successLimit(contract.limit)
}

const noForm: Form = { async *[Symbol.asyncIterator]() {} }
