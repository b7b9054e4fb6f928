import { isId, newId } from '#platform/ids.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
import { sampleOf } from '#tests/support/sample.ts'
import type { TestServer } from '#tests/support/test-server.ts'
import { type Call, type RawReply, rawRequest, sendRaw } from './ask.ts'
import type { Home } from './home.ts'
import type { OperationCase } from './operations.ts'
import { digests, restless } from './rows.ts'
import { changed, type TextPath, textsIn } from './texts.ts'

/** The replies to one organization, with the other's values that it had sent itself. */
export type ReceivedReply = { operation: string; answer: RawReply; sent: string[] }

export type CheckedRows = {
  /** The fields that were tried with a value of the other organization. */
  places: string[]
  /** The differences between the two organizations, in words. */
  leaks: string[]
}

/**
 * Calls an operation in `home` with the texts of `twin`, one at a time and all together. The reply must equal
 * that for an unused text, and nothing of the twin may change. Changes use up objects: with a `turn`, `npm test` tries
 * a third of their texts.
 */
export async function cross(
  {
    url,
    home,
    twin,
    replies,
    turn,
  }: { url: string; home: Home; twin: Home; replies: ReceivedReply[]; turn?: number },
  operation: OperationCase,
  calls: (home: Home) => Promise<Call[]>,
): Promise<CheckedRows> {
  const { server } = home
  const theirs = await calls(twin)
  const own = await calls(home)
  await server.relayed()
  const before = await rowsOf(server, twin)
  const places: string[] = []
  const leaks: string[] = []
  // own objects that no call has used up yet
  const unused: Call[][] = [own]

  for (const [index, call] of own.entries()) {
    const valueIn = ({ path }: TextPath) =>
      textsIn(itemAt(theirs, index)).find(place => place.path.join() === path.join())?.value
    const foreign = textsIn(call).filter(
      place => valueIn(place) !== undefined && valueIn(place) !== place.value,
    )
    const trials = [...foreign.map(place => [place]), ...(foreign.length > 1 ? [foreign] : [])]
    const isSampled = turn !== undefined && operation.contract.method !== 'GET'
    for (const tried of isSampled ? sampleOf(trials, { shares: 3, turn: turn + index }) : trials) {
      const name = tried.map(({ path }) => path.join('.')).join(' + ')
      const values = tried.map(place => defined(valueIn(place)))
      const [known, unknown] = await Promise.all([
        answer(tried, values),
        answer(tried, values.map(scrambled)),
      ])
      if (tried.length === 1) places.push(name)
      const difference = differs(known, unknown)
      if (difference)
        leaks.push(
          `${operation.name} tells ${name} of another organization from an unknown one: ${difference}`,
        )
    }

    async function answer(
      tried: TextPath[],
      values: string[],
    ): Promise<{ answer: RawReply; sent: string[] }> {
      // a separate object, because a successful call may use it up
      const fresh = unused.pop() ?? (await calls(home))
      const call = tried.reduce((made, { path }, at) => changed(made, path, values[at]), itemAt(fresh, index))
      await server.sql('delete from rate_window')
      const got = await sendRaw(url, rawRequest(operation, call, await home.credential(operation)))
      replies.push({ operation: operation.name, answer: got, sent: values })
      if (got.status >= 400 || operation.contract.method === 'GET') unused.push(fresh)
      if (got.status >= 500) leaks.push(`${operation.name} fails: ${got.text}`)
      return { answer: got, sent: values }
    }
  }

  await server.relayed()
  const after = await rowsOf(server, twin)
  for (const table of Object.keys(before)) {
    if (before[table] !== after[table])
      leaks.push(`${operation.name} changed ${table} of another organization`)
  }
  return { places, leaks }
}

function differs(known: { answer: RawReply; sent: string[] }, unknown: typeof known): string | undefined {
  const one = plain(known)
  const other = plain(unknown)
  return one === other ? undefined : `${one.slice(0, 600)} is not ${other.slice(0, 600)}`
}

/** A reply as text. Of an error every byte counts; a success may contain new ids and times. */
function plain({ answer: { status, headers, text }, sent }: { answer: RawReply; sent: string[] }): string {
  const stable = [...headers].filter(
    ([name]) => !/^(date|x-request-id|keep-alive|connection|ratelimit.*)$/.test(name),
  )
  if (status >= 400) return `${status} ${JSON.stringify(stable)} ${text}`
  // a file of new objects has other bytes each time
  if (/^(text\/event-stream|application\/(zip|pdf|xml))/.test(headers.get('content-type') ?? ''))
    return String(status)
  // a name may come back as its slug
  const masked = sent
    .flatMap(value => [
      JSON.stringify(value).slice(1, -1),
      value.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    ])
    .reduce((all, value) => all.replaceAll(value, '<sent>'), text)
    // the caller's own object had the slug before
    .replaceAll(/"slug":"<sent>-\d+"/g, '"slug":"<sent>"')
  const ids: string[] = []
  return `${status} ${stable.map(([name]) => name)} ${masked
    .replaceAll(/(?<![0-9a-z])c[0-9a-z]{24}\b/g, id => {
      if (!ids.includes(id)) ids.push(id)
      return `<id ${ids.indexOf(id)}>`
    })
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    // a digest of the input
    .replaceAll(/"(contentHash|digest|hash|documentHash|sha256)":"[0-9a-f]{32,64}"/g, '"$1":"<digest>"')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+|patio_(?:pat|app|sign|scim)_\w+/g, '<token>')
    // consecutive numbers
    .replaceAll(/"(?:P-\d{4}-|[A-Z]+\d{4}-)\d{4,}"/g, '"<code>"')
    // the client secret of a gateway's setup, and the URL of its card page
    .replaceAll(/\bseti_\w+_secret_[\w-]+|(?<=\/c\/<id \d+>\.<id \d+>)\.[\w-]{43}/g, '<secret>')
    // consecutive versions
    .replaceAll(/"version":\d+,"text"/g, '"version":"<version>","text"')
    .replaceAll(/((?:mark|hush)[a-z]{10})([ -])\d+/g, '$1$2<number>')}`
}

/** A text of the same form that nobody has. */
export function scrambled(text: string): string {
  if (isId(text)) return newId()
  // a document keeps its elements
  if (text.startsWith('<?xml')) return text.replaceAll(/\bc[0-9a-z]{24}\b/g, () => newId())
  const random = (letters: string) =>
    defined(letters[defined(crypto.getRandomValues(new Uint32Array(1))[0]) % letters.length])
  // a URL keeps its scheme
  const [scheme = ''] = /^https?:\/\//.exec(text) ?? []
  return `${scheme}${text
    .slice(scheme.length)
    .replace(/[a-z]/g, () => random('abcdefghijklmnopqrstuvwxyz'))
    .replace(/[A-Z]/g, () => random('ABCDEFGHIJKLMNOPQRSTUVWXYZ'))
    .replace(/\d/g, () => random('123456789'))}`
}

let tables: Promise<string[]> | undefined

/** The same as `everything`, for the rows of an organization, the organization itself and its people. */
export async function rowsOf(
  server: TestServer,
  { organization }: Pick<Home, 'organization'>,
): Promise<Record<string, string>> {
  tables ??= server
    .sql<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and a.attname = 'organization_id' order by 1`,
    )
    .then(rows => rows.map(({ name }) => name).filter(name => !restless.includes(name)))
  const people = 'in (select person_id from membership where organization_id = $1)'
  const wheres: Record<string, string> = {
    ...Object.fromEntries((await tables).map(name => [name, 'organization_id = $1'])),
    organization: 'id = $1',
    person: `id ${people}`,
    session: `person_id ${people}`,
    credential: `person_id ${people}`,
    operator: `person_id ${people}`,
  }
  return digests(server, 'rows of an organization', wheres, [organization.id])
}

/** The ids of an organization: its own, its people's, and those of all its objects. */
export async function idsOf(server: TestServer, { organization }: Home): Promise<Set<string>> {
  const columns = await server.sql<{ table: string; column: string }>(
    `select k.table_name as table, k.column_name as column from information_schema.columns k
     join information_schema.columns o using (table_schema, table_name)
     where table_schema = 'public' and o.column_name = 'organization_id' and k.data_type = 'text'`,
  )
  const queries = columns.map(
    ({ table, column }) => `select ${column} as id from ${table} where organization_id = $1`,
  )
  // public marketplace data is not secret
  const open = 'select entry_id from market_listing where publisher_id <> $1'
  const rows = await server.sql<{ id: string | null }>(`(${queries.join(' union ')}) except ${open}`, [
    organization.id,
  ])
  return new Set(rows.flatMap(({ id }) => (id !== null && isId(id) ? [id] : [])))
}

const idPattern = /\bc[0-9a-z]{24}\b/g

/** Replies to one organization that contain a mark or an id of another, beyond what it had sent itself. */
export function marksIn(replies: readonly ReceivedReply[], twin: Home, ids: ReadonlySet<string>): string[] {
  return replies.flatMap(({ operation, answer, sent }) => {
    const whole = `${JSON.stringify([...answer.headers])} ${answer.text}`
    const rest = sent.reduce((text, value) => text.replaceAll(JSON.stringify(value).slice(1, -1), ''), whole)
    // a file may name ids, which the reply repeats
    const own = new Set(sent.flatMap(value => value.match(idPattern) ?? []))
    const known = rest.match(idPattern)?.find(id => ids.has(id) && !own.has(id))
    if (known) return [`${operation} shows ${known} of another organization`]
    return rest.includes(twin.secret)
      ? [`${operation} shows text of another organization: ${rest.slice(0, 300)}`]
      : []
  })
}
