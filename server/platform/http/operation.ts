import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '#contract/operation.ts'
import type { Files } from '../adapters/files.ts'
import type { Gateways } from '../adapters/gateway.ts'
import type { SavedAddresses } from '../adapters/http-client/saved.ts'
import type { Mail } from '../adapters/mail.ts'
import type { Database, Db, Tx } from '../data/database.ts'
import type { AuditSubject } from '../events/audit.ts'
import type { MembershipListener } from '../events/membership-listener.ts'
import type { RecipientsResolver } from '../events/recipients-resolver.ts'
import type { SseBroker } from '../events/sse-broker.ts'
import type { Log } from '../log.ts'
import type { Cipher } from '../security/cipher.ts'
import type { Seals } from '../security/seals.ts'
import type { Signer } from '../security/signer.ts'
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
  /** Sets a header of the answer that is ours: `omitted` → `X-Service-Omitted`. */
  setHeader(name: string, value: string): void
  /** Says in the headers of the answer what is left of a limit that the operation keeps itself. */
  setRateLimit(quota: RateLimitState): void
}

/** The database, files, mail and gateways: what an operation may reach. */
export type Services = {
  readonly database: Database
  /** Wakes the relay after a commit that said something. */
  readonly wakeUp?: { changed(): void; due(applicationIds: Iterable<string>): void }
  /** The open event streams of this process. */
  readonly sseBroker: SseBroker
  readonly mail: Mail
  readonly files: Files
  /** No file that is received may be larger. */
  readonly maxFileBytes: number
  /** How many reports a key may send in an hour, and how many of them at once; 0 for any number. */
  readonly errorReportLimit?: { perHour: number; burst: number }
  readonly gateways: Gateways
  readonly seals: Seals
  readonly signer: Signer
  /** Hides secrets of others that are needed again. */
  readonly cipher: Cipher
  /** Where something may be sent on somebody's word. */
  readonly allowedAddresses: SavedAddresses
  /** Which applications may be told of what not all may look into. */
  readonly recipients: RecipientsResolver
  /** What is kept in step with who is in an organization and what they may do. */
  readonly membershipListener: MembershipListener
  /** For what goes wrong without failing the request. */
  readonly log?: Log
  /** How headers begin that are ours. */
  readonly headerPrefix: string
  /** Where people reach this server; links in mails begin with it. */
  readonly publicUrl: string
  /** Drops at once what this process remembers of a person of an organization, or (null) of all its people. */
  forget?(organizationId: string, personId: string | null): void
}

/** The second answer of an operation, which its endpoint promises in `alsoReplies`. */
export class AlternateReply<Body> {
  readonly body: Body
  constructor(body: Body) {
    this.body = body
  }
}

/** An operation of the contract and the function that runs it. `run` is a method, because a list of operations forgets the input types. */
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
/** Names what the operation acted on and which fields it changed, for the audit row; `detail` is kept with it as JSON. */
type AuditHandle = { audit(subject: string, changed?: readonly string[], detail?: object): void }
/**
 * One transaction of a step, with its own audit row: in the organization of the caller, or where anybody may ask in the
 * one that is named.
 */
export type Transact = <Result>(
  work: (tx: Tx) => Promise<Result>,
  subject?: AuditSubject,
  organizationId?: string,
) => Promise<Result>

/**
 * The input of a workflow. `idempotencyKey` is the header of a POST by an application, or of one that `isIdempotent` by a
 * person: a command obeys it by itself, a workflow calls `once`. `rawBody` is the body of an operation that takes it unparsed.
 */
type WorkflowInput = {
  db: Db
  transact: Transact
  form: Form
  idempotencyKey: string | undefined
  rawBody: Buffer
}

/** An operation that only reads: it has no transaction to write in and cannot emit events. */
export function query<Input, Reply>(
  contract: Operation<Input, Reply>,
  run: (input: OperationInput<Input> & { db: Db }) => Promise<Reply | HtmlPage>,
): ServedOperation {
  return { kind: 'query', contract: contract as Operation, run }
}

/** An operation in one transaction, which also holds the events and the audit row. */
export function command<Input, Reply>(
  contract: Operation<Input, Reply>,
  run: (input: OperationInput<Input> & { tx: Tx } & AuditHandle) => Promise<Reply | AlternateReply<Reply>>,
): ServedOperation {
  return { kind: 'command', contract: contract as Operation, run }
}

/**
 * An operation that involves the outside world: record the intent, act outside any transaction, record the outcome.
 * Each `transact` is a transaction of its own. `form` are the parts of a body that is not JSON, as they arrive.
 */
export function workflow<Input, Reply>(
  contract: Operation<Input, Reply>,
  run: (input: OperationInput<Input> & WorkflowInput) => Promise<Reply | AlternateReply<Reply> | HtmlPage>,
): ServedOperation {
  return { kind: 'workflow', contract: contract as Operation, run }
}

/** An operation whose answer is not one JSON body: event streams, file bodies, redirects. */
export function stream<Input, Reply>(
  contract: Operation<Input, Reply>,
  run: (input: OperationInput<Input> & { db: Db } & RawHttp) => Promise<Reply | FastifyReply>,
): ServedOperation {
  return { kind: 'stream', contract: contract as Operation, run }
}
