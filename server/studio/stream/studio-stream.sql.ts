import type { Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { type Reader, readable } from '../assets/asset.access.ts'

type ReaderRow = {
  is_administrator: boolean
  departments: string[]
  workspaces: string[]
  groups: string[]
}
const unitsOf = (kind: string) => `array(select u.unit_id from unit_member u
    where u.organization_id = $organization and u.person_id = $personId and u.kind = '${kind}')`
const selectReader = sql<ReaderRow, { personId: string }>(`
  select m.role in ('OWNER', 'ADMIN') or exists (
      select 1 from operator o where o.person_id = $personId and o.home_id = $organization) as is_administrator,
    ${unitsOf('DEPARTMENT')} as departments, ${unitsOf('WORKSPACE')} as workspaces, ${unitsOf('GROUP')} as groups
  from membership m where m.organization_id = $organization and m.person_id = $personId and m.removed_at is null`)

// indexes asset_recent_set, asset_share_unit and asset_recent_author
const selectLost = sql<{ id: string }, Reader & { unitId: string; most: number }>(`
  select a.id from (
    select d.id from asset d
    where d.organization_id = $organization and d.listed and d.visibility = 'DEPARTMENT' and d.department_set in (
      select t.id from department_set t where t.organization_id = $organization and t.department_id = $unitId)
    union
    select s.asset_id from asset_share s
    where s.organization_id = $organization and s.unit_id = $unitId
      and (s.expires_at is null or s.expires_at > now())
    union
    select w.id from unit_member u join asset w on w.organization_id = $organization and w.author_id = u.person_id
    where u.organization_id = $organization and u.unit_id = $unitId and u.kind = 'WORKSPACE' and w.listed
      and w.visibility = 'WORKSPACE') c
  join asset a on a.organization_id = $organization and a.id = c.id
  where a.listed and not (${readable})
  order by a.updated_at desc, a.id desc limit $most`)

/**
 * The assets that a person could read as a member of a unit, which they have left, and can no longer read. Most recently
 * updated first.
 */
export async function assetsLostWithUnit(
  tx: Tx,
  personId: string,
  unitId: string,
  most: number,
): Promise<string[]> {
  const person = await tx.first(selectReader, { personId })
  if (!person || person.is_administrator) return []
  const lost = await tx.rows(selectLost, {
    personId,
    isAdministrator: false,
    departmentIds: person.departments,
    workspaceIds: person.workspaces,
    groupIds: person.groups,
    unitId,
    most,
  })
  return lost.map(({ id }) => id)
}
