import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { departmentSetId } from './asset.rules.ts'

const insertSet = sql<never, { id: string; departmentIds: readonly string[] }>(`
  insert into department_set (organization_id, id, department_id)
  select u.organization_id, $id, u.id from unit u
  where u.organization_id = $organization and u.kind = 'DEPARTMENT' and u.id = any($departmentIds::text[])
  on conflict do nothing returning department_id`)
const countSet = sql<{ n: number }, { id: string }>(
  'select count(*)::integer as n from department_set d where d.organization_id = $organization and d.id = $id',
)

/**
 * Returns the key of a set of departments and stores the set if it is new. Fails with DEPARTMENT_UNKNOWN if one of them
 * is not a department of the organization.
 */
export async function departmentSet(tx: Tx, departmentIds: readonly string[]): Promise<string> {
  const ids = [...new Set(departmentIds)]
  const id = departmentSetId(ids)
  if (id === '') return id
  const [, count] = await Promise.all([
    tx.run(insertSet, { id, departmentIds: ids }),
    tx.one(countSet, { id }),
  ])
  if (count.n !== ids.length) fail('DEPARTMENT_UNKNOWN')
  return id
}
