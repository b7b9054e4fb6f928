import type { LeadValues } from '#contract/crm/lead-values.ts'
import { openStatuses, temperatures } from '#contract/crm/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

type Column = 'source' | 'stage' | 'assignee_id'
type ValueRow = { value: string; count: number }

/**
 * Counts the open leads with a value, up to a limit. The order leaves the planner one index, the one that begins with the column:
 * with another, it would read every lead to find those with a rare value.
 */
function counted(matches: (status: string) => string, order: string): string {
  const ofStatus = (status: string) => `(select 1 from lead l
      where l.organization_id = $organization and l.erased_at is null and ${matches(`'${status}'`)}
      order by ${order}
      limit ${limits.leadValueCount})`
  return `(select count(*)::int from (
    select 1 from (${openStatuses.map(ofStatus).join(' union all ')}) each limit ${limits.leadValueCount}) n)`
}
// a comparison of rows bounds the part of the index, and is not an equality, which the planner would drop from the order
const countedWith = (column: Column | 'temperature', value: string) =>
  counted(
    status =>
      `l.${column} is not null and (l.${column}, l.status) >= (${value}, ${status}) and (l.${column}, l.status) <= (${value}, ${status})`,
    `l.${column}, l.status`,
  )
const countedUnassigned = counted(
  status => `l.assignee_id is null and l.status = ${status}`,
  'l.assignee_id, l.created_at',
)

/**
 * The first values of a column. Each step reads the next greater value from the index, so the cost depends on the number of
 * values and not on that of the leads.
 */
const firstValues = (column: Column) => `
  with recursive step as (
    (select l.${column} as value from lead l
     where l.organization_id = $organization and l.erased_at is null and l.${column} is not null
     order by l.${column} limit 1)
    union all
    select (select l.${column} from lead l
      where l.organization_id = $organization and l.erased_at is null and l.${column} > s.value
      order by l.${column} limit 1)
    from step s where s.value is not null),
  found as materialized (select s.value from step s where s.value is not null limit ${limits.leadValues + 1})
  select f.value, ${countedWith(column, 'f.value')} as count`

// indexes lead_sourced, lead_staged and lead_assigned
const selectSources = sql<ValueRow>(`${firstValues('source')} from found f order by f.value`)
const selectStages = sql<ValueRow>(`${firstValues('stage')} from found f order by f.value`)
const selectAssignees = sql<ValueRow & { name: string | null; is_member: boolean }>(`
  ${firstValues('assignee_id')}, m.name, coalesce(m.removed_at is null
    and m.person_id is not null, false) as is_member
  from found f left join membership m on m.organization_id = $organization and m.person_id = f.value
  order by f.value`)
// indexes lead_by_temperature and lead_assigned
const selectOthers = sql<{ unassigned: number; cold: number; warm: number; hot: number }>(`
  select ${countedUnassigned} as unassigned, ${temperatures
    .map(name => `${countedWith('temperature', `'${name}'`)} as ${name.toLowerCase()}`)
    .join(', ')}`)

/** The values of leads and the number of open leads with each (LEAD-47). */
export async function leadValues(db: Db): Promise<LeadValues> {
  const [sources, stages, assignees, others] = await Promise.all([
    db.rows(selectSources),
    db.rows(selectStages),
    db.rows(selectAssignees),
    db.one(selectOthers),
  ])
  const { unassigned, cold, warm, hot } = others
  const people = firstOf(assignees)
  return {
    sources: firstOf(sources),
    stages: firstOf(stages),
    temperatures: [
      { value: 'COLD', count: cold },
      { value: 'WARM', count: warm },
      { value: 'HOT', count: hot },
    ],
    assignees: {
      items: people.items.map(({ value, name, is_member, count }) => ({
        id: value,
        name,
        isMember: is_member,
        count,
      })),
      hasMore: people.hasMore,
    },
    unassigned,
  }
}

function firstOf<Row>(rows: Row[]): { items: Row[]; hasMore: boolean } {
  return { items: rows.slice(0, limits.leadValues), hasMore: rows.length > limits.leadValues }
}
