import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/operation.ts'
import type { Files } from '../adapters/files.ts'
import type { Gateways } from '../adapters/gateway.ts'
import type { SavedAddresses } from '../adapters/http-client/saved.ts'
import type { Mail } from '../adapters/mail.ts'
import type { Database, Db, Tx } from '../data/database.ts'
import type { Subject } from '../events/audit.ts'
import type { Follower } from '../events/membership-listener.ts'
import type { Reach } from '../events/recipients-resolver.ts'
import type { Hub } from '../events/sse-broker.ts'
import type { Log } from '../log.ts'
import type { Cipher } from '../security/cipher.ts'
import type { Seals } from '../security/seals.ts'
import type { Signer } from '../security/signer.ts'
import type { Caller, Origin } from './caller.ts'
import type { Page } from './html-page.ts'
import type { Form } from './multipart-form.ts'
import type { Quota } from './rate-limit-headers.ts'

type In<Input> = Input & {
  caller: Caller
  origin: Origin
  headers: IncomingHttpHeaders
  world: World
} & Heading
type Heading = {
  /** Sets a header of the answer that is ours: `omitted` → `X-Service-Omitted`. */
  heading(name: string, value: string): void
  /** Says in the headers of the answer what is left of a limit that the operation keeps itself. */
  setQuota(quota: Quota): void
}

/** The database, files, mail and gateways: what an operation may reach. */
export type World = {
  readonly database: Database
  /** Wakes the relay after a commit that said something. */
  readonly signal?: { changed(): void; due(applicationIds: Iterable<string>): void }
  /** The open event streams of this process. */
  readonly hub: Hub
  readonly mail: Mail
  readonly files: Files
  /** No file that is received may be larger. */
  readonly maxFileBytes: number
  /** How many reports a key may send in an hour, and how many of them at once; 0 for any number. */
  readonly reportLimit?: { perHour: number; burst: number }
  readonly gateways: Gateways
  readonly seals: Seals
  readonly signer: Signer
  /** Hides secrets of others that are needed again. */
  readonly cipher: Cipher
  /** Where something may be sent on somebody's word. */
  readonly addresses: SavedAddresses
  /** Which applications may be told of what not all may look into. */
  readonly reach: Reach
  /** What is kept in step with who is in an organization and what they may do. */
  readonly follower: Follower
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
export class Instead<Body> {
  readonly body: Body
  constructor(body: Body) {
    this.body = body
  }
}

/** A promise together with the function that keeps it. The list of them forgets what each is given, so `run` is a method. */
export type Served =
  | {
      readonly kind: 'reads'
      readonly endpoint: Endpoint
      run(input: In<unknown> & { db: Db }): Promise<unknown>
    }
  | {
      readonly kind: 'changes'
      readonly endpoint: Endpoint
      run(input: In<unknown> & { tx: Tx } & Told): Promise<unknown>
    }
  | {
      readonly kind: 'steps'
      readonly endpoint: Endpoint
      run(input: In<unknown> & Stepping): Promise<unknown>
    }
  | {
      readonly kind: 'streams'
      readonly endpoint: Endpoint
      run(input: In<unknown> & { db: Db } & Raw): Promise<unknown>
    }

type Raw = { request: FastifyRequest; reply: FastifyReply }
/** Names what the operation acted on and which fields it changed, for the audit row; `detail` is kept with it as JSON. */
type Told = { audits(subject: string, changed?: readonly string[], detail?: object): void }
/**
 * One transaction of a step, with its own audit row: in the organization of the caller, or where anybody may ask in the
 * one that is named.
 */
export type Transact = <Result>(
  work: (tx: Tx) => Promise<Result>,
  subject?: Subject,
  organizationId?: string,
) => Promise<Result>

/**
 * What steps are given. `key` is the Idempotency-Key of a POST at the application door, or of one that is `repeatable` at
 * that of people: `changes` keeps to it by itself, steps do with `once`. `bytes` is the body of an operation that takes it as it is.
 */
type Stepping = { db: Db; transact: Transact; form: Form; key: string | undefined; bytes: Buffer }

/** Keeps a promise by reading only: there is no transaction to write in and nothing can be announced. */
export function reads<Input, Reply>(
  endpoint: Endpoint<Input, Reply>,
  run: (input: In<Input> & { db: Db }) => Promise<Reply | Page>,
): Served {
  return { kind: 'reads', endpoint: endpoint as Endpoint, run }
}

/** Keeps a promise in one transaction, which also holds the events and the audit row. */
export function changes<Input, Reply>(
  endpoint: Endpoint<Input, Reply>,
  run: (input: In<Input> & { tx: Tx } & Told) => Promise<Reply | Instead<Reply>>,
): Served {
  return { kind: 'changes', endpoint: endpoint as Endpoint, run }
}

/**
 * Keeps a promise that touches the world: record the intent, act outside any transaction, record the outcome.
 * Each `transact` is a transaction of its own. `form` are the parts of a body that is not JSON, as they arrive.
 */
export function steps<Input, Reply>(
  endpoint: Endpoint<Input, Reply>,
  run: (input: In<Input> & Stepping) => Promise<Reply | Instead<Reply> | Page>,
): Served {
  return { kind: 'steps', endpoint: endpoint as Endpoint, run }
}

/** Keeps a promise whose answer is not one JSON body: event streams, file bodies, redirects. */
export function streams<Input, Reply>(
  endpoint: Endpoint<Input, Reply>,
  run: (input: In<Input> & { db: Db } & Raw) => Promise<Reply | FastifyReply>,
): Served {
  return { kind: 'streams', endpoint: endpoint as Endpoint, run }
}
