import fc, { type Arbitrary } from 'fast-check'
import { errors } from '#contract/errors.ts'
import { errorsOf } from '#server/openapi.ts'
import { itemAt } from '#tests/support/elements.ts'
import type { TestServer } from '#tests/support/test-server.ts'
import {
  asText,
  type Call,
  codeOf,
  malformed,
  type RawReply,
  type RawRequest,
  rawRequest,
  sendRaw,
} from './ask.ts'
import { callsOf } from './fixtures.ts'
import { openHome } from './home.ts'
import type { OperationCase } from './operations.ts'
import { leaves, type Schema, typesOf } from './schemas.ts'
import { changed } from './texts.ts'
import { anything, fitting, notorious, times } from './values.ts'

/** One field of a call, or the whole body, replaced. */
type Change = { path: string[]; value: unknown }
type Case = {
  good: number
  changes: Change[]
  bytes: 'as they are' | 'cut' | 'doubled' | 'latin1'
  type: string
}

/** The number of replies by status. */
export type Counted = Record<number, number>

/**
 * Calls an operation with valid calls in which some fields were replaced by valid or invalid values. Throws
 * with the smallest case whose reply is a 5xx, undeclared, or malformed.
 */
export async function fuzz(
  server: TestServer,
  operation: OperationCase,
  options: { runs: number; budgetMs: number; seed?: number; thorough?: boolean },
): Promise<Counted> {
  const { name, contract } = operation
  // a separate organization, because the calls may change anything
  const home = await openHome(server)
  const goods: Call[] = []
  for (let round = 0; round < 4; round++) goods.push(...(await callsOf(name, home)))
  const credential = await home.credential(operation)
  const counted: Counted = {}

  const look = async (tried: Case) => {
    const raw = garbled(rawRequest(operation, callOf(goods, tried), credential), tried)
    if (contract.limit) await server.sql('delete from rate_window')
    const answer = await sendRaw(server.url, raw)
    counted[answer.status] = (counted[answer.status] ?? 0) + 1
    const wrong = complaint(operation, answer)
    if (wrong)
      throw new Error(
        `${wrong}\n${raw.method} ${raw.path}\n${String(raw.body).slice(0, 1_000)}\n${answer.status} ${answer.text.slice(0, 500)}`,
      )
  }
  const plain = { bytes: 'as they are', type: 'application/json' } as const
  // each valid call unchanged, so that no operation is only ever refused
  for (const good of goods.keys()) await look({ good, changes: [], ...plain })
  for (const change of notoriousChanges(operation, options.thorough)) {
    await look({ good: 0, changes: [change], ...plain })
  }
  const runs = contract.responseType === 'text/event-stream' ? Math.ceil(options.runs / 10) : options.runs
  await fc.assert(fc.asyncProperty(cases(operation, goods), look), {
    numRuns: runs,
    interruptAfterTimeLimit: options.budgetMs,
    markInterruptAsFailure: false,
    ...(options.seed !== undefined && { seed: options.seed }),
  })
  return counted
}

/** Each troublesome time in each field for times; when thorough, also each troublesome text in each text. */
function notoriousChanges({ contract }: OperationCase, thorough = false): Change[] {
  return (['params', 'query', 'body'] as const).flatMap(part =>
    leaves(contract[part], [part])
      .filter(({ path, schema }) => path.length === 2 && typesOf(schema).includes('string') && !schema.enum)
      .filter(({ path }) => !(contract.responseType === 'text/event-stream' && path[1] === 'token'))
      .flatMap(({ path, schema }) => {
        const texts = schema.format ? times : thorough ? notorious : []
        return texts.filter(text => part !== 'params' || text !== '').map(value => ({ path, value }))
      }),
  )
}

function cases({ contract }: OperationCase, goods: readonly Call[]): Arbitrary<Case> {
  const fields = (['params', 'query', 'body'] as const).flatMap(part => {
    const { properties = {} } = (contract[part] ?? {}) as Schema
    return Object.entries(properties)
      .filter(([name]) => !(contract.responseType === 'text/event-stream' && name === 'token'))
      .map(([name, schema]) => {
        const isPlace = part === 'params'
        const odd = isPlace ? oddTexts : fc.oneof(anything, fc.constant(undefined))
        const fit = isPlace
          ? fitting(schema).filter(value => !elsewhere.includes(asText(value)))
          : fitting(schema)
        const value = fc.oneof({ weight: 3, arbitrary: fit }, { weight: 2, arbitrary: odd })
        return value.map((made): Change => ({ path: [part, name], value: made }))
      })
  })
  if (contract.requestType) {
    const part = fc.tuple(fc.nat(2), fc.constantFrom('name', 'value', 'filename'), oddTexts)
    fields.push(part.map(([at, key, value]) => ({ path: ['form', String(at), key], value })))
  }
  if (contract.body) {
    fields.push(
      fc
        .tuple(fc.string({ maxLength: 10 }), anything)
        .map(([name, value]) => ({ path: ['body', name], value })),
    )
    fields.push(anything.map(value => ({ path: ['body'], value })))
  }
  const usual = <Value>(value: Value, ...others: Value[]) =>
    fc.oneof(
      { weight: 20, arbitrary: fc.constant(value) },
      { weight: 1, arbitrary: fc.constantFrom(...others) },
    )
  return fc.record({
    good: fc.nat(goods.length - 1),
    changes:
      fields.length > 0 ? fc.array(fc.oneof(...fields), { minLength: 1, maxLength: 3 }) : fc.constant([]),
    bytes: usual<Case['bytes']>('as they are', 'cut', 'doubled', 'latin1'),
    type: usual(
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      'application/x-www-form-urlencoded',
      'nonsense',
    ),
  })
}

// with one of these texts as a parameter, the URL is another one
const elsewhere = ['', '.', '..']
const oddTexts = anything.map(value => asText(value).slice(0, 200)).filter(text => !elsewhere.includes(text))

function callOf(goods: readonly Call[], { good, changes }: Case): Call {
  return changes.reduce<Call>(
    (call, { path, value }) => {
      // once the body is not an object, there is no field to change
      const there = call[path[0] as 'body'] ?? {}
      const isObject = typeof there === 'object' && (path[0] === 'form' || !Array.isArray(there))
      if (path.length > 1 && !isObject) return call
      return changed(call, path, value)
    },
    structuredClone(itemAt(goods, good)),
  )
}

function garbled(raw: RawRequest, { bytes, type }: Case): RawRequest {
  if (raw.body instanceof Uint8Array) return garbledForm(raw, raw.body, { bytes, type })
  // a lone surrogate cannot be written into a URL
  if (typeof raw.body !== 'string') return raw
  const bodies: Record<Case['bytes'], string | Uint8Array<ArrayBuffer>> = {
    'as they are': raw.body,
    cut: raw.body.slice(0, -1),
    doubled: raw.body + raw.body,
    latin1: new Uint8Array(Buffer.from(raw.body, 'latin1')),
  }
  return { ...raw, body: bodies[bytes], headers: { ...raw.headers, 'content-type': type } }
}

function garbledForm(
  raw: RawRequest,
  body: Uint8Array<ArrayBuffer>,
  { bytes, type }: Pick<Case, 'bytes' | 'type'>,
): RawRequest {
  const bodies: Record<Case['bytes'], Uint8Array<ArrayBuffer>> = {
    'as they are': body,
    cut: body.slice(0, -Math.ceil(body.length / 3)),
    doubled: new Uint8Array(Buffer.concat([body, body])),
    latin1: body.slice(1),
  }
  // a value of another operation is invalid here
  const wrong = !type.startsWith('application/json')
  return { ...raw, body: bodies[bytes], headers: { ...raw.headers, ...(wrong && { 'content-type': type }) } }
}

/** The problem of a reply; undefined if there is none. */
export function complaint({ auth, contract }: OperationCase, answer: RawReply): string | undefined {
  const { status } = answer
  if (status >= 500) return 'the server failed'
  if (status === contract.status || (status === 301 && contract.responseType === 'redirect')) return undefined
  if (status === contract.alternateReply?.status) return undefined
  if (status < 400) return 'the status is not the promised one'
  const form = malformed(answer)
  if (form) return form
  const declared = errorsOf(auth, contract)
  const code = codeOf(answer)
  const isDeclared = declared.some(
    known => known === code || ('bare' in errors[known] && String(errors[known].status) === code),
  )
  return isDeclared ? undefined : `${code} is not declared`
}
