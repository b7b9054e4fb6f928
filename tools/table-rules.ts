import ts from 'typescript'
import { type AreaRules, areas, platformTables } from './areas.ts'

/** A use of a table that is not allowed where it stands. */
export type WrongUse = { path: string; table: string; why: string }

/** Uses of tables beyond the rules, each with its reason. */
const exceptions: readonly { path: string; tables: readonly string[]; why: string }[] = [
  {
    path: 'server/first-run.ts',
    tables: ['organization', 'session'],
    why: 'an unfinished demo of the first run is removed before any area is loaded',
  },
  {
    path: 'server/crm/leads/history/lead-history.sql.ts',
    tables: ['application'],
    why: 'the history names the applications that changed a lead, also removed ones',
  },
  {
    path: 'server/crm/leads/sync/lead-sync-reader.sql.ts',
    tables: ['application', 'application_key'],
    why: 'the list of the applications that read leads begins with all that may',
  },
  {
    path: 'server/distribution/distribute.sql.ts',
    tables: ['access_change'],
    why: 'numbers of transactions cannot be compared once the table is on several servers',
  },
  {
    path: 'server/identity/members/member.sql.ts',
    tables: ['access_change'],
    why: 'a change of access is recorded in the statement that changes it',
  },
  {
    path: 'server/identity/sessions/session.sql.ts',
    tables: ['access_change'],
    why: 'a change of access is recorded in the statement that changes it',
  },
  {
    path: 'server/integrations/webhooks/endpoint/endpoint.sql.ts',
    tables: ['outbox'],
    why: 'a worker pauses endpoints of many organizations in one statement, with their events',
  },
  {
    path: 'server/studio/files/file-sweep.sql.ts',
    tables: ['file_object'],
    why: 'the platform stores files, and only areas know which ones are still used',
  },
]

const ownerOf = new Map<string, string>([
  ...Object.entries(areas).flatMap(([area, { tables }]) => tables.map(table => [table, area] as const)),
  ...platformTables.map(table => [table, 'platform'] as const),
])

/** The tables and views that migrations create, and that none removes. */
export function createdTables(migrations: readonly { text: string }[]): Set<string> {
  const created = new Set<string>()
  const changes =
    /^(create|drop) (?:unlogged )?(?:table|view) (?:if (?:not )?exists )?([a-z_]+)\b(?! partition of)/gm
  for (const { text } of migrations)
    for (const [, change, table = ''] of text.matchAll(changes))
      change === 'create' ? created.add(table) : created.delete(table)
  return created
}

/** Tables that no area owns, or that more than one owns, or that exist no more. */
export function ownershipProblems(tables: ReadonlySet<string>): string[] {
  const named = [...Object.values<AreaRules>(areas).flatMap(area => area.tables), ...platformTables]
  return [
    ...[...tables].filter(table => !ownerOf.has(table)).map(table => `${table} has no owner`),
    ...named.filter(table => !tables.has(table)).map(table => `${table} does not exist`),
    ...named.filter((table, at) => named.indexOf(table) !== at).map(table => `${table} has two owners`),
  ]
}

/**
 * The uses of tables in the SQL of a source file that its area may not make. An area writes its own tables, and reads
 * those of the platform, of identity and of the areas that it uses. `excepted` receives the exceptions that the file needs.
 */
export function wrongUses(path: string, text: string, excepted = new Set<string>()): WrongUse[] {
  const found = /^server\/([^/]+)\//.exec(path)?.[1] ?? ''
  const area = found === 'platform' || found in areas ? found : 'server'
  const readable = readableBy(area)
  const isAllowed = ({ owner, isWritten }: TableUse) => owner === area || (!isWritten && readable.has(owner))
  // few files have any, and to parse all of them takes seconds
  if (usesOfTables(text).every(isAllowed)) return []
  const wrong = new Map<string, WrongUse>()
  for (const use of sqlTexts(path, text).flatMap(usesOfTables)) {
    if (isAllowed(use)) continue
    const { table, owner, isWritten } = use
    const exception = exceptions.find(each => each.path === path && each.tables.includes(table))
    if (exception) excepted.add(`${path} ${table}`)
    else
      wrong.set(table, {
        path,
        table,
        why: `${area} may not ${isWritten ? 'write' : 'read'} a table of ${owner}`,
      })
  }
  return [...wrong.values()]
}

/** Exceptions that no file needs any more. */
export function needlessExceptions(excepted: ReadonlySet<string>): string[] {
  return exceptions
    .flatMap(({ path, tables }) => tables.map(table => `${path} ${table}`))
    .filter(key => !excepted.has(key))
}

function readableBy(area: string): ReadonlySet<string> {
  const rules = (areas as Record<string, AreaRules | undefined>)[area]
  if (!rules) return new Set(['platform'])
  return new Set(['platform', 'identity', ...rules.uses])
}

const mention =
  /\b(from|join|using|update|insert into|delete from|truncate|merge into)\s+(?:only\s+|lateral\s+)?([a-z_]+)/g
// the further tables of `from a x, b y`
const listed = /,\s*(?:lateral\s+)?([a-z_]+)\s+(?:as\s+)?(?!(?:asc|desc|from|where|order|on)\b)[a-z]\w*/g
const writing = new Set(['update', 'insert into', 'delete from', 'truncate', 'merge into'])

type TableUse = { table: string; owner: string; isWritten: boolean }

function usesOfTables(sql: string): TableUse[] {
  const uses = [
    ...Array.from(sql.matchAll(mention), ([, verb = '', table = '']) => ({
      table,
      isWritten: writing.has(verb),
    })),
    ...Array.from(sql.matchAll(listed), ([, table = '']) => ({ table, isWritten: false })),
  ]
  return uses.flatMap(use => {
    const owner = ownerOf.get(use.table)
    return owner === undefined ? [] : [{ ...use, owner }]
  })
}

/** The texts of a source file that can be SQL, with a question mark for each interpolation. */
function sqlTexts(path: string, text: string): string[] {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) texts.push(node.text)
    if (ts.isTemplateExpression(node))
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ? '))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest))
  return texts
}
