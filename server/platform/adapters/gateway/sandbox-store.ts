import { createHash } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import type { Database } from '../../data/database.ts'
import type { Tx } from '../../data/db.ts'
import { isUnavailable } from '../../data/errors.ts'
import { insertInto } from '../../data/insert-into.ts'
import { later } from '../../data/later.ts'
import { sql } from '../../data/statement.ts'
import { newId } from '../../ids.ts'
import type { Failure, Intent, Movement } from './port.ts'
import { GatewayMissing, GatewayRefused, GatewayUnknown } from './port.ts'

export type SandboxObjectKind = 'customer' | 'method' | 'setup' | 'intent' | 'refund'
type Movements = Omit<Movement, 'at'>

const select = sql<{ body: string }, { kind: string; id: string }>(`
  select o.body::text from sandbox_object o where o.organization_id = $organization and o.kind = $kind and o.id = $id`)
const lock = sql<{ body: string; now: string }, { kind: string; id: string }>(`
  select o.body::text, now() from sandbox_object o
  where o.organization_id = $organization and o.kind = $kind and o.id = $id for update`)
const insert = sql<never, { id: string; kind: string; parentId: string | null; body: string }>(`
  ${insertInto('sandbox_object', 'id, kind, parent_id, body')}`)
const update = sql<never, { id: string; body: string }>(`
  update sandbox_object o set body = $body, updated_at = now() where o.organization_id = $organization and o.id = $id`)
const children = sql<{ id: string }, { kind: string; parentId: string }>(`
  select o.id from sandbox_object o where o.organization_id = $organization and o.kind = $kind and o.parent_id = $parentId
  order by o.created_at desc, o.id desc`)
const movements = sql<
  { id: string; body: Movements; created_at: string },
  { from: string; to: string; after: string | null; afterId: string; many: number }
>(`
  select o.id, o.body, o.created_at from sandbox_object o
  where o.organization_id = $organization and o.kind = 'movement' and o.parent_id = 'all'
    and o.created_at >= $from and o.created_at < $to
    and ($after::timestamptz is null or (o.created_at, o.id) > ($after, $afterId))
  order by o.created_at, o.id limit $many`)
// waits for the first request with the key, and reclaims a key that is too old
const claim = sql<never, { id: string; body: string }>(`
  insert into sandbox_object as o (organization_id, id, kind, body, created_at)
  values ($organization, $id, 'request', $body, now())
  on conflict (organization_id, id) do update set body = excluded.body, created_at = excluded.created_at
    where o.organization_id = $organization
      and ${later('o.created_at', `interval '${limits.idempotencyHours} hours'`)} < excluded.created_at`)

type StoredAnswer<Result> = { result: Result } | { failure: Failure; intent: Intent | undefined }
type StoredRequest = { parametersDigest: string; answer?: StoredAnswer<unknown> }

/**
 * The objects of an organization's sandbox. Each piece of work is one transaction; a refusal is a result, and what
 * was written before it stays.
 */
export type SandboxStore = {
  /** Runs the work once for each key; a repeated call gets the first result, refusals included. */
  once<Result>(
    key: string,
    parameters: object,
    work: (tx: SandboxTransaction) => Promise<Result>,
  ): Promise<Result>
  run<Result>(work: (tx: SandboxTransaction) => Promise<Result>): Promise<Result>
  movements(from: Date, to: Date): AsyncIterable<Movement>
}

/** A transaction of the sandbox. Locked objects cannot change meanwhile; read ones can. */
export type SandboxTransaction = {
  /** Throws GatewayMissing. */
  lock<Body>(kind: SandboxObjectKind, id: string): Promise<{ body: Body; now: Date }>
  /** Throws GatewayMissing. */
  read<Body>(kind: SandboxObjectKind, id: string): Promise<Body>
  children(kind: SandboxObjectKind, parentId: string): Promise<string[]>
  insert(kind: SandboxObjectKind, id: string, body: object, parentId?: string): Promise<void>
  update(id: string, body: object): Promise<void>
  insertMovement(movement: Movements): Promise<void>
}

const pageSize = 100

export function openSandboxStore(database: Database, organizationId: string): SandboxStore {
  // separate transactions, never the caller's: a gateway is another system
  const transact = <Result>(work: (tx: Tx) => Promise<Result>) =>
    database.transact(organizationId, work).catch(error => {
      throw isUnavailable(error) ? new GatewayUnknown('The sandbox did not answer', { cause: error }) : error
    })
  return {
    async once<Result>(key: string, parameters: object, work: (tx: SandboxTransaction) => Promise<Result>) {
      return resultOf(await transact(tx => answerOnce(tx, key, parameters, work)))
    },
    run: async work => resultOf(await transact(tx => answerOf(work(transactionOf(tx))))),
    async *movements(from, to) {
      const db = database.of(organizationId)
      for (let last: { id: string; created_at: string } | undefined; ; ) {
        const rows = await db.rows(movements, {
          from: from.toISOString(),
          to: to.toISOString(),
          after: last?.created_at ?? null,
          afterId: last?.id ?? '',
          many: pageSize,
        })
        for (const { body, created_at } of rows) yield { ...body, at: new Date(created_at) }
        last = rows.at(-1)
        if (rows.length < pageSize) return
      }
    },
  }
}

async function answerOnce<Result>(
  tx: Tx,
  key: string,
  parameters: object,
  work: (tx: SandboxTransaction) => Promise<Result>,
): Promise<StoredAnswer<Result>> {
  const id = `request_${digestOf(key)}`
  const request: StoredRequest = { parametersDigest: digestOf(JSON.stringify(parameters)) }
  if ((await tx.run(claim, { id, body: JSON.stringify(request) })) === 0) {
    const first = JSON.parse((await tx.one(select, { kind: 'request', id })).body) as StoredRequest
    // the result of the first request says nothing about this one
    if (first.parametersDigest !== request.parametersDigest)
      throw new GatewayUnknown('This key was used for something else')
    return first.answer as StoredAnswer<Result>
  }
  const answer = await answerOf(work(transactionOf(tx)))
  await tx.run(update, { id, body: JSON.stringify({ ...request, answer }) })
  return answer
}

async function answerOf<Result>(work: Promise<Result>): Promise<StoredAnswer<Result>> {
  try {
    return { result: await work }
  } catch (error) {
    if (error instanceof GatewayRefused) return { failure: error.failure, intent: error.intent }
    throw error
  }
}

function resultOf<Result>(answer: StoredAnswer<Result>): Result {
  if ('failure' in answer) throw new GatewayRefused(answer.failure, answer.intent)
  return answer.result
}

function transactionOf(tx: Tx): SandboxTransaction {
  return {
    async lock<Body>(kind: SandboxObjectKind, id: string) {
      const row = (await tx.first(lock, { kind, id })) ?? missing(kind, id)
      return { body: JSON.parse(row.body) as Body, now: new Date(row.now) }
    },
    async read<Body>(kind: SandboxObjectKind, id: string) {
      const row = (await tx.first(select, { kind, id })) ?? missing(kind, id)
      return JSON.parse(row.body) as Body
    },
    children: async (kind, parentId) => (await tx.rows(children, { kind, parentId })).map(({ id }) => id),
    insert: async (kind, id, body, parentId) =>
      void (await tx.run(insert, { id, kind, parentId: parentId ?? null, body: JSON.stringify(body) })),
    update: async (id, body) => void (await tx.run(update, { id, body: JSON.stringify(body) })),
    insertMovement: async movement =>
      void (await tx.run(insert, {
        id: `move_${newId()}`,
        kind: 'movement',
        parentId: 'all',
        body: JSON.stringify(movement),
      })),
  }
}

function missing(kind: SandboxObjectKind, id: string): never {
  throw new GatewayMissing(`No such ${kind}: ${id}`)
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
