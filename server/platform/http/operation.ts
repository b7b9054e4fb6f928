import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '#contract/operation.ts'
import type { Db, Tx } from '../data/db.ts'
import type { AuditSubject } from '../events/audit.ts'
import type { Services } from '../services.ts'
import type { Caller, Origin } from './caller.ts'
import type { HtmlPage } from './html-page.ts'
import type { Form } from './multipart-form.ts'
import type { RateLimitState } from './rate-limit-headers.ts'

type OperationInput<Input> = Input & {
  caller: Caller
  origin: Origin
  headers: IncomingHttpHeaders
  services: Services
} & ResponseHeaders
type ResponseHeaders = {
  /** Sets a product header of the reply: `omitted` → `X-Service-Omitted`. */
  setHeader(name: string, value: string): void
  /** Sets the rate limit headers for a limit that the operation counts itself. */
  setRateLimit(quota: RateLimitState): void
}

/** The alternative reply of an operation, which its contract declares in `alternateReply`. */
export class AlternateReply<Body> {
  readonly body: Body
  constructor(body: Body) {
    this.body = body
  }
}

/**
 * An operation of the contract and the function that runs it. `run` is a method because a list of operations
 * does not keep the input types.
 */
export type ServedOperation =
  | {
      readonly kind: 'query'
      readonly contract: Operation
      run(input: OperationInput<unknown> & { db: Db }): Promise<unknown>
    }
  | {
      readonly kind: 'command'
      readonly contract: Operation
      run(input: OperationInput<unknown> & { tx: Tx } & AuditHandle): Promise<unknown>
    }
  | {
      readonly kind: 'workflow'
      readonly contract: Operation
      run(input: OperationInput<unknown> & WorkflowInput): Promise<unknown>
    }
  | {
      readonly kind: 'stream'
      readonly contract: Operation
      run(input: OperationInput<unknown> & { db: Db } & RawHttp): Promise<unknown>
    }

type RawHttp = { request: FastifyRequest; reply: FastifyReply }
/** Records the object and the changed fields for the audit row; `detail` is stored with it as JSON. */
type AuditHandle = { audit(subject: string, changed?: readonly string[], detail?: object): void }
/**
 * One transaction of a workflow, with its own audit row: in the organization of the caller or, for public
 * operations, in the given one.
 */
export type Transact = <Result>(
  work: (tx: Tx) => Promise<Result>,
  subject?: AuditSubject,
  organizationId?: string,
) => Promise<Result>

/**
 * The input of a workflow. `idempotencyKey` is the header of a POST by an application, or of an
 * `isIdempotent` one by a person: commands handle it automatically, workflows call `runOnce`. `rawBody` is
 * the unparsed body of an operation with `takesRawBody`.
 */
type WorkflowInput = {
  db: Db
  transact: Transact
  form: Form
  idempotencyKey: string | undefined
  rawBody: Buffer
}

/** An operation that only reads. It has no transaction and cannot emit events. */
export function query<Input, Reply>(
  contract: Operation<Input, Reply>,
  run: (input: OperationInput<Input> & { db: Db }) => Promise<Reply | HtmlPage>,
): ServedOperation {
  return { kind: 'query', contract: contract as Operation, run }
}

/** An operation in one transaction, which also writes the events and the audit row. */
export function command<Input, Reply>(
  contract: Operation<Input, Reply>,
  run: (input: OperationInput<Input> & { tx: Tx } & AuditHandle) => Promise<Reply | AlternateReply<Reply>>,
): ServedOperation {
  return { kind: 'command', contract: contract as Operation, run }
}

/**
 * An operation that involves external systems: record the intent, act outside any transaction, record the
 * result. Each `transact` is a separate transaction. `form` holds the parts of a body that is not JSON, as
 * they arrive.
 */
export function workflow<Input, Reply>(
  contract: Operation<Input, Reply>,
  run: (input: OperationInput<Input> & WorkflowInput) => Promise<Reply | AlternateReply<Reply> | HtmlPage>,
): ServedOperation {
  return { kind: 'workflow', contract: contract as Operation, run }
}

/** An operation that writes the response itself: event streams, files, redirects. */
export function stream<Input, Reply>(
  contract: Operation<Input, Reply>,
  run: (input: OperationInput<Input> & { db: Db } & RawHttp) => Promise<Reply | FastifyReply>,
): ServedOperation {
  return { kind: 'stream', contract: contract as Operation, run }
}
