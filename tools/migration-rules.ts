import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { statementsOutside } from '#platform/data/migrate.ts'

/** One migration file. */
export type Migration = { name: string; text: string }
/** A statement that would block a running server, and why. */
export type Danger = { migration: string; statement: string; why: string }

/** The migrations of the product, in the order of their application. */
export function productMigrations(): Migration[] {
  const folder = join(import.meta.dirname, '../migrations')
  return readdirSync(folder)
    .filter(name => name.endsWith('.sql'))
    .sort()
    .map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

const rules: { pattern: RegExp; why: string; unless?: RegExp }[] = [
  {
    pattern: /^create (?:unique )?index (?!concurrently\b).*?\bon (?:only )?(?<table>[a-z_]+)/,
    why: 'writers wait until the index is built: create it concurrently',
  },
  { pattern: /^drop index (?!concurrently\b)/, why: 'waits for every reader: drop it concurrently' },
  { pattern: /^reindex (?!.*\bconcurrently\b)/, why: 'writers wait: reindex concurrently' },
  { pattern: /^(?:vacuum full|cluster|lock)\b/, why: 'nobody can read meanwhile' },
  {
    pattern: /^truncate (?:table )?(?:only )?(?<table>[a-z_]+)/,
    why: 'takes data away from who still reads it',
  },
  {
    pattern: /^(?:update|delete from) (?:only )?(?<table>[a-z_]+)/,
    why: 'holds every row it touches until the end: do it in pieces, outside a migration',
  },
  {
    pattern: /^drop (?:table|view|schema|type|sequence|function)\b/,
    why: 'the version that still runs may use it',
  },
  {
    pattern: /^alter table (?:if exists )?(?:only )?(?<table>[a-z_]+) .*\bdrop (?:column|constraint)\b/,
    why: 'the version that still runs may rely on it',
  },
  {
    pattern: /^alter (?:table|index) (?:if exists )?(?:only )?(?<table>[a-z_]+) .*\brename\b/,
    why: 'the version that still runs uses the old name',
  },
  {
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>[a-z_]+) .*\balter (?:column )?[a-z_]+ (?:set data )?type\b/,
    why: 'rewrites the table while nobody can read it',
  },
  {
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>[a-z_]+) .*\bset (?:unlogged|logged|tablespace)\b/,
    why: 'rewrites the table while nobody can read it',
  },
  {
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>[a-z_]+) .*\badd (?:column )?.*\bdefault [^,]*(?:clock_timestamp|random|gen_random|nextval|uuid|timeofday|statement_timestamp)/,
    why: 'a default that differs for each row rewrites the table',
  },
  {
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>[a-z_]+) .*\badd (?:column )?.*\bgenerated (?:always|by default)\b/,
    why: 'a generated column rewrites the table',
  },
  {
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>[a-z_]+) .*\badd column [^,]*\b(?:primary key|unique|references|check)\b/,
    why: 'looks at every row under a lock: add the column, then the constraint NOT VALID',
  },
  {
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>[a-z_]+) (?:.*,\s*)?add column (?:if not exists )?[a-z_]+ (?:(?!\bdefault\b)[^,])*\bnot null\b(?:(?!\bdefault\b)[^,])*(?:,|$)/,
    why: 'fails as soon as there are rows: give it a default',
  },
  {
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>[a-z_]+) .*\badd (?:constraint [a-z_]+ )?(?:foreign key|check)\b/,
    unless: /\bnot valid$/,
    why: 'looks at every row under a lock: add it NOT VALID and validate it in the next migration',
  },
  {
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>[a-z_]+) .*\badd (?:constraint [a-z_]+ )?(?:unique|primary key|exclude)\b/,
    unless: /\busing index [a-z_]+$/,
    why: 'builds an index under a lock: create it concurrently, then add the constraint USING INDEX',
  },
  {
    // these only prevent mistakes
    pattern:
      /^create (?:or replace )?(?:constraint )?trigger\b(?! refuse_unstamped_lead | [a-z_]+_is_immutable )/,
    why: 'no correctness may depend on a trigger',
  },
  { pattern: /^create (?:or replace )?rule\b/, why: 'a rule rewrites statements out of sight' },
  {
    pattern:
      /^alter table (?:if exists )?(?:only )?(?<table>[a-z_]+) .*\balter (?:column )?[a-z_]+ drop default\b/,
    why: 'the version that still runs inserts rows without this column',
  },
  { pattern: /^do\b/, why: 'nobody can see what it does: write the statements out' },
]
const notNull =
  /^alter table (?:if exists )?(?:only )?(?<table>[a-z_]+) .*\balter (?:column )?(?<column>[a-z_]+) set not null\b/

/** The line that allows the statement after it, with its reason. */
const exception = /^-- contract: \S.{9,}$/

/**
 * Finds statements that would take a long lock on a table in use, break the running version, or lose data. A
 * table is in use unless the same file creates it. The line `-- contract: ` with a reason allows the statement after it.
 * Migrations are in the order of their application.
 */
export function dangers(migrations: readonly Migration[]): Danger[] {
  const found: Danger[] = []
  for (const [index, { name, text }] of migrations.entries()) {
    const lines = split(text)
    const statements = lines.filter(line => !line.startsWith('--'))
    const allowed = new Set(lines.filter((_, at) => exception.test(lines[at - 1] ?? '')))
    const checked = validated(migrations.slice(0, index))
    const fresh = new Set(statements.map(createdTable).filter(Boolean))
    const concurrent = statements.find(statement =>
      /^(?:create|drop|reindex)\b.*\bconcurrently\b/.test(statement),
    )
    const isOutside = text.startsWith('-- outside a transaction')
    if (concurrent && !isOutside) {
      const why = 'runs in no transaction: in a file that begins with "-- outside a transaction"'
      found.push({ migration: name, statement: concurrent, why })
    }
    if (isOutside) found.push(...unrepeatable(name, text, statements))
    for (const statement of statements) {
      if (allowed.has(statement)) continue
      for (const { pattern, unless, why } of rules) {
        const match = pattern.exec(statement)
        if (!match || unless?.test(statement) || fresh.has(match.groups?.table)) continue
        found.push({ migration: name, statement, why })
      }
      const { table, column } = notNull.exec(statement)?.groups ?? {}
      if (table && !fresh.has(table) && !checked.includes(`${table}.${column}`)) {
        const why = `reads every row under a lock: an earlier migration must have validated check (${column} is not null)`
        found.push({ migration: name, statement, why })
      }
    }
  }
  return found
}

const repeatable =
  /^(?:create (?:unique )?index concurrently if not exists|drop index concurrently if exists|reindex index concurrently) /
/** The statements that a repetition after a failure, or after a kill before the file was recorded, would refuse. */
function unrepeatable(migration: string, text: string, statements: readonly string[]): Danger[] {
  const found = statements
    .filter(statement => !repeatable.test(statement))
    .map(statement => ({
      migration,
      statement,
      why: 'cannot be repeated: create … if not exists, drop … if exists',
    }))
  // migrate() splits in a simpler way
  if (statementsOutside(text).length === statements.length) return found
  const why = 'a semicolon ends the line of its statement and appears nowhere else'
  return [...found, { migration, statement: statements.at(-1) ?? '', why }]
}

/** `table.column` of each check (column is not null) that was added NOT VALID and validated. */
function validated(migrations: readonly Migration[]): string[] {
  const statements = migrations.flatMap(({ text }) => split(text))
  const added = statements.flatMap(statement => {
    const groups =
      /^alter table (?<table>[a-z_]+) add constraint (?<name>[a-z_]+) check ?\( ?(?<column>[a-z_]+) is not null ?\) not valid$/.exec(
        statement,
      )?.groups
    return groups ? [groups] : []
  })
  return added
    .filter(({ table, name }) => statements.includes(`alter table ${table} validate constraint ${name}`))
    .map(({ table, column }) => `${table}.${column}`)
}

function createdTable(statement: string): string | undefined {
  return /^create (?:unlogged )?table (?:if not exists )?(?<table>[a-z_]+)/.exec(statement)?.groups?.table
}

/**
 * The statements of a file: without comments, in lower case, one per line. Quoted text stays together. A comment that
 * allows a statement is an item of its own before it.
 */
export function split(text: string): string[] {
  const piece = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^;'"$/-]+|./g
  const statements: string[] = []
  let current = ''
  for (const [part] of text.matchAll(piece)) {
    if (part === ';') {
      statements.push(current)
      current = ''
    } else if (exception.test(part) && current.trim() === '') statements.push(part)
    else if (!part.startsWith('--') && !part.startsWith('/*')) {
      current += /^['"$]/.test(part) ? part : part.toLowerCase()
    } else current += ' '
  }
  return [...statements, current].map(statement => statement.replace(/\s+/g, ' ').trim()).filter(Boolean)
}
