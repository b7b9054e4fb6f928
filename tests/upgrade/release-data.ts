import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import pg from 'pg'
import { migrate } from '#platform/data/migrate.ts'
import { only } from '#tests/support/elements.ts'

/** The folder of the stored data of a release. */
export const releaseFolder = (version: string) => join(import.meta.dirname, `../fixtures/release-${version}`)

const migrations = join(import.meta.dirname, '../../migrations')

/** A read of a release, and the reply that it had. */
export type RecordedReply = {
  operation: string
  caller: string
  path: string
  reply: unknown
}

/** A release of which the data are stored: its secrets, and who called it. */
export type Release = {
  version: string
  /** The last migration of the release. */
  migration: string
  signInSecret: string
  /** The person of all replies to people. */
  owner: { personId: string; organizationId: string; sessionId: string }
  /** The credentials of the other callers. */
  headers: { apiKey: Record<string, string>; personalToken: Record<string, string> }
  /** A person who signs in with a password and a code. */
  twoFactor: { email: string; password: string; totpURI: string }
}

/** Reads the description of a stored release. */
export function readRelease(version: string): Release {
  return JSON.parse(readFileSync(join(releaseFolder(version), 'release.json'), 'utf8'))
}

/** Reads the replies that the release gave to reads. */
export function readReplies(version: string): RecordedReply[] {
  const bytes = readFileSync(join(releaseFolder(version), 'replies.json.br'))
  return JSON.parse(brotliDecompressSync(bytes).toString())
}

/**
 * Writes what a release left behind: its rows, as one JSON list for each table, the replies to reads, and the objects of
 * the file store.
 */
export async function storeRelease(
  { client, filesFolder }: { client: pg.Client; filesFolder: string },
  release: Release,
  replies: readonly RecordedReply[],
): Promise<void> {
  const folder = releaseFolder(release.version)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
  writeFileSync(join(folder, 'replies.json.br'), compressed(JSON.stringify(replies)))
  writeFileSync(join(folder, 'rows.json.br'), compressed(await rowsAsText(client)))
  cpSync(filesFolder, join(folder, 'files'), { recursive: true })
}

/** One line for each table: its name, a tab, and its rows as JSON. The text of PostgreSQL keeps every digit. */
async function rowsAsText(client: pg.Client): Promise<string> {
  const lines: string[] = []
  for (const table of await tablesOf(client)) {
    const columns = await storedColumns(client, table)
    const answer = await client.query<{ rows: string | null }>(
      `select json_agg(t order by t::text)::text as rows from (select ${columns.join(', ')} from ${table}) t`,
    )
    const { rows } = only(answer.rows)
    if (rows !== null) lines.push(`${table}\t${rows.replaceAll('\n', '')}`)
  }
  return lines.join('\n')
}

/** Every table except the list of migrations, in the order of the names. Partitions are part of their table. */
export async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> 'migration' order by relname`,
  )
  return rows.map(({ name }) => name)
}

async function storedColumns(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  return rows.map(({ name }) => name)
}

/**
 * Makes the database of a release in an empty one: its migrations, then its rows. Foreign keys are
 * added again after the rows, because the tables come in the order of their names.
 */
export async function loadRelease(databaseUrl: string, version: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'patio-release-'))
  try {
    const { migration } = readRelease(version)
    for (const name of readdirSync(migrations).filter(file => file.endsWith('.sql') && file <= migration))
      cpSync(join(migrations, name), join(folder, name))
    await migrate(databaseUrl, pathToFileURL(`${folder}/`))
  } finally {
    rmSync(folder, { recursive: true })
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    const tables = await tablesOf(client)
    const foreignKeys = await foreignKeysOf(client)
    await run(
      client,
      foreignKeys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
    )
    await run(
      client,
      tables.map(table => `alter table ${table} disable trigger user`),
    )
    // migrations write rows, too
    await client.query(`truncate ${tables.join(', ')}`)
    const bytes = readFileSync(join(releaseFolder(version), 'rows.json.br'))
    for (const line of brotliDecompressSync(bytes).toString().split('\n')) {
      const [table = '', rows = ''] = line.split('\t')
      const columns = await storedColumns(client, table)
      await client.query(
        `insert into ${table} (${columns.join(', ')})
         select ${columns.join(', ')} from json_populate_recordset(null::${table}, $1)`,
        [rows],
      )
    }
    await run(
      client,
      tables.map(table => `alter table ${table} enable trigger user`),
    )
    await run(
      client,
      foreignKeys.map(
        ({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`,
      ),
    )
    await client.query('commit')
  } finally {
    await client.end()
  }
}

type ForeignKey = { table: string; name: string; definition: string }

async function foreignKeysOf(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 2`,
  )
  return rows
}

async function run(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement)
}

function compressed(text: string): Buffer {
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    },
  })
}
