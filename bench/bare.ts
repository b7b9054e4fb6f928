/**
 * The bare limit: node:http and pg, nothing else. It serves the product's URLs by running the product's own
 * statements one after the other, as a simple program would, and builds the same reply. No framework, no
 * sign-in, no checks.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
// also for its parsers of times and numbers, which are faster than pg's
import '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import { answer } from './answers.ts'
import type { RecordedStep, RecordedValue, Recording, TemplateParameter } from './recording.ts'

type Rows = Record<string, unknown>[][]
type Request = { id: string; words: string[]; made: Map<string, string>; rows: Rows }
type Program = {
  isMatch(method: string, url: string): boolean
  idAt: number
  status: number
  run(request: Request): Promise<void>
  reply(rows: Rows): unknown
}

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.POOL_SIZE),
  options: '-c timezone=UTC -c jit=off',
})
let programs: Program[] = []

const server = createServer((request, response) => {
  respond(request, response).catch(error => {
    process.stderr.write(`bare: ${error.stack}\n`)
    response.writeHead(500, { 'Content-Length': 0 }).end()
  })
})

answer({
  learn(recordings: Recording[]) {
    programs = recordings.map(programOf)
  },
  listen: () =>
    new Promise<number>(resolve => {
      server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () =>
        resolve((server.address() as AddressInfo).port),
      )
    }),
})

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '' } = request
  const program = programs.find(one => one.isMatch(method, url))
  if (!program) {
    response.writeHead(url === '/readyz' ? 200 : 404, { 'Content-Length': 0 }).end()
    return
  }
  const body = method === 'POST' ? await bodyOf(request) : undefined
  const words = (body?.name ?? body?.content ?? body?.company)?.split(' ') ?? []
  const one: Request = { id: url.split('/')[program.idAt] ?? '', words, made: new Map(), rows: [] }
  await program.run(one)
  const text = JSON.stringify(program.reply(one.rows))
  response
    .writeHead(program.status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text)
}

type Body = { name?: string; content?: string; company?: string }

async function bodyOf(request: IncomingMessage): Promise<Body | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
}

function programOf({ method, path, status, variants, reply }: Recording): Program {
  const [before = '', after] = path.split('{id}')
  const bodies = variants.map(steps =>
    steps.map(({ values, ...step }) => ({ ...step, fill: values.map(filler) })),
  )
  let turn = 0
  return {
    status,
    isMatch: (requestMethod, url) =>
      requestMethod === method &&
      (after === undefined ? url === path : url.startsWith(before) && url.endsWith(after)),
    idAt: before.split('/').length - 1,
    reply: new Function('rows', `return ${reply}`) as Program['reply'],
    run(request) {
      const statements = bodies[turn++ % bodies.length]!
      return statements[0]?.text === 'begin'
        ? inTransaction(statements, request)
        : oneByOne(pool, statements, request)
    },
  }
}

type Statement = Omit<RecordedStep, 'values'> & { fill: ((request: Request) => unknown)[] }

async function oneByOne(
  on: pg.Pool | pg.PoolClient,
  statements: Statement[],
  request: Request,
): Promise<void> {
  for (const { name, text, fill } of statements) {
    const { rows } = await (fill.length > 0 || name !== undefined
      ? on.query({ name, text, values: fill.map(one => one(request)) })
      : on.query(text))
    request.rows.push(rows)
  }
}

async function inTransaction(statements: Statement[], request: Request): Promise<void> {
  const client = await pool.connect()
  try {
    await oneByOne(client, statements, request)
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

function filler(value: RecordedValue): (request: Request) => unknown {
  if ('is' in value) return () => value.is
  if ('items' in value) {
    const items = value.items.map(filler)
    return request => items.map(item => item(request))
  }
  const pieces = value.pieces.map(piece => (typeof piece === 'string' ? () => piece : holeFiller(piece)))
  const [first, ...others] = pieces
  if (first && others.length === 0) return first
  return request => pieces.map(piece => piece(request)).join('')
}

function holeFiller(hole: TemplateParameter): (request: Request) => unknown {
  if (hole.from === 'id') return request => request.id
  if (hole.from === 'word') return request => request.words[hole.at] ?? ''
  if (hole.from === 'row') return request => request.rows[hole.step]?.[0]?.[hole.column]
  return ({ made }) => {
    const id = made.get(hole.key) ?? newId()
    made.set(hole.key, id)
    return id
  }
}
