import type { AnyStatement } from './statement.ts'

type GuardedStatement = Pick<AnyStatement, 'text' | 'crossTenantReason'>

/**
 * The tenant guard: refuses a statement that uses a tenant table without restricting it to the organization.
 * Each mention of a tenant table `t` (or its alias) needs `t.organization_id = $1`, a bare `organization_id =
 * $1` if there is no alias, or, in an insert, `organization_id` as the first column, with the value `$1` or
 * that of a restricted row. Checked once per distinct statement.
 */
export function assertTenantTied(statement: GuardedStatement, tenantTables: ReadonlySet<string>): void {
  if (statement.crossTenantReason) return
  const text = statement.text.toLowerCase()
  if (loosened.test(text)) refuse(statement, 'a condition beside an OR')
  for (const [, table, alias] of text.matchAll(listedTable) as Iterable<[string, string, string]>) {
    if (tenantTables.has(table) && !tied(text, alias)) refuse(statement, `${table} as ${alias}`)
  }
  let bareMentions = 0
  for (const mention of text.matchAll(mentionOfTable)) {
    const [, verb, table, alias] = mention as unknown as [string, string, string, string | undefined]
    if (!tenantTables.has(table)) continue
    if (verb === 'insert into') {
      assertInsertTied(statement, text.slice(mention.index), table)
      continue
    }
    if (alias) {
      if (!tied(text, alias)) refuse(statement, `${table} as ${alias}`)
    } else if (!tied(text, table)) {
      bareMentions++
    }
  }
  const bareTies = [...text.matchAll(/(?<![.\w])organization_id = \$1\b/g)].length
  if (bareMentions > bareTies) refuse(statement, 'a table without alias')
}

const keywords =
  'where set on using join left right inner cross full order group limit offset for returning values select union as natural lateral having window fetch except intersect and or then when end do'.split(
    ' ',
  )
// a keyword is not an alias, and the text after it is checked separately
const alias = `(?!(?:${keywords.join('|')})\\b)([a-z_][a-z0-9_]*)`
const mentionOfTable = new RegExp(
  `\\b(from|join|update|using|insert into|delete from)\\s+(?:only\\s+)?([a-z_][a-z0-9_]*)(?:\\s+(?:as\\s+)?${alias})?`,
  'g',
)
// the further tables of `from a, b x`: only with an alias, since a bare word after a comma may be a column
const listedTable = new RegExp(`,\\s*(?:lateral\\s+)?([a-z_][a-z0-9_]*)\\s+(?:as\\s+)?${alias}`, 'g')
const loosened = /\bor (?:[a-z_]+\.)?organization_id = \$1(?![0-9])|\borganization_id = \$1 or\b/

function tied(text: string, alias: string): boolean {
  return new RegExp(`\\b${alias}\\.organization_id = \\$1(?![0-9])`).test(text)
}

function assertInsertTied(statement: GuardedStatement, from: string, table: string): void {
  const insert = new RegExp(
    `^insert into ${table}(?: as [a-z_]+)? ?\\( ?organization_id\\b[^)]*\\) (?:overriding \\w+ value )?(values ?\\( ?|select (?:distinct )?)([^,\\s)]+)`,
  ).exec(from)
  const first = insert?.[2]
  if (first !== '$1' && !/^[a-z_]+\.organization_id$/.test(first ?? ''))
    refuse(statement, `insert into ${table}`)
}

function refuse(statement: GuardedStatement, where: string): never {
  throw new Error(`Tenant guard: ${where} is not tied to the organization ($1) in: ${statement.text}`)
}
