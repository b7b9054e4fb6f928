import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { newId } from '#platform/ids.ts'
import { firstOf } from '#platform/required.ts'
import { ownAccessChanged } from '../person.access.ts'
import { failIfNameTaken } from '../roles/role.rules.ts'
import { deleteUnit } from '../units/delete-unit.ts'
import { insertUnit, setUnitName } from '../units/unit.sql.ts'
import { showGroup, showList } from './scim.json.ts'
import { changeByScim, type ScimRequest } from './scim-change.ts'
import { refuseInput, refuseUnknown } from './scim-error.ts'
import {
  countedGroups,
  deleteGroupMembers,
  dropRetainedUnit,
  groupByExternalId,
  groupById,
  groupsByName,
  insertGroupMembers,
  keepUnit,
  listedGroups,
  lockGroup,
  lockUsers,
  membersOfGroups,
  type ScimGroupRow,
  setGroupExternalId,
} from './scim-group.sql.ts'
import type { Filter, GroupChange, MembersChange } from './scim-input.ts'

type GroupKey = Pick<ScimGroupRow, 'id' | 'kind'>
type GroupsPage = { startIndex: number; count: number; hasMembers: boolean }

/** Lists the units of all kinds by id, or finds some (SCM-11). Error: invalidFilter. */
export async function listGroups(request: ScimRequest, filter: Filter | undefined, page: GroupsPage) {
  const db = request.services.database.of(request.caller.organizationId)
  const { startIndex, count, hasMembers } = page
  if (filter) {
    const found = await findGroups(request, filter)
    const selected = found.slice(startIndex - 1, startIndex - 1 + count)
    return showList(await showGroups(request, selected, hasMembers), found.length, startIndex)
  }
  const [rows, total] = await Promise.all([
    db.rows(listedGroups, { limit: count, offset: startIndex - 1 }),
    db.one(countedGroups),
  ])
  return showList(await showGroups(request, rows, hasMembers), total.total, startIndex)
}

/** Error: 404. */
export async function getGroup(request: ScimRequest, id: string, hasMembers: boolean) {
  const db = request.services.database.of(request.caller.organizationId)
  const row = (await db.first(groupById, { id })) ?? refuseUnknown()
  return firstOf(await showGroups(request, [row], hasMembers))
}

/** Creates a group. Errors: uniqueness, invalidValue. */
export async function createGroup(request: ScimRequest, change: GroupChange) {
  const name = change.displayName ?? refuseInput('invalidValue', 'displayName is required.')
  const { subject } = await changeByScim(request, async tx => {
    const unit = (await tx.first(insertUnit, { id: newId(), kind: 'GROUP', name })) ?? fail('NAME_TAKEN')
    if (change.externalId) await tx.run(setGroupExternalId, { id: unit.id, externalId: change.externalId })
    const group = { id: unit.id, kind: 'GROUP' } as const
    for (const members of change.members) await changeMembers(tx, request, group, members)
    emit(tx, request.caller, 'unit.changed', { ids: [unit.id], createdIds: [unit.id] })
    return { subject: unit.id, changed: ['name', ...(change.members.length > 0 ? ['members'] : [])] }
  })
  return getGroup(request, subject, true)
}

/** Changes name, external id and members. Errors: 404, uniqueness, invalidValue. */
export async function changeGroup(request: ScimRequest, id: string, change: GroupChange): Promise<void> {
  await changeByScim(request, async tx => {
    const group = (await tx.first(lockGroup, { id })) ?? refuseUnknown()
    const { displayName = group.name, externalId = group.external_id } = change
    const changed: string[] = []
    if (displayName !== group.name) {
      await tx.first(setUnitName, { id, name: displayName }).catch(failIfNameTaken('unit_name'))
      changed.push('name')
    }
    if (externalId !== group.external_id) {
      await tx.run(setGroupExternalId, { id, externalId })
      changed.push('externalId')
    }
    const people = new Set<string>()
    for (const members of change.members)
      for (const personId of await changeMembers(tx, request, group, members)) people.add(personId)
    // an entry names the first of them; a request may move a thousand
    changed.push(...[...people].slice(0, 100).map(personId => `members.${personId}`))
    if (changed.length > 0) emit(tx, request.caller, 'unit.changed', { ids: [id] })
    return { subject: id, changed }
  })
}

/** Deletes a unit. Error: 404. */
export async function removeGroup(request: ScimRequest, id: string): Promise<void> {
  const { caller, services } = request
  await changeByScim(request, async tx => {
    if (!(await tx.first(lockGroup, { id }))) refuseUnknown()
    await deleteUnit(tx, services, caller, id)
    emit(tx, caller, 'unit.changed', { ids: [id], removedIds: [id] })
    return { subject: id, changed: ['removedAt'] }
  })
}

async function findGroups(request: ScimRequest, { attribute, value }: Filter): Promise<ScimGroupRow[]> {
  const db = request.services.database.of(request.caller.organizationId)
  if (attribute === 'displayname') return db.rows(groupsByName, { name: value })
  if (attribute === 'externalid') return db.rows(groupByExternalId, { externalId: value })
  if (attribute === 'id') return db.rows(groupById, { id: value })
  return refuseInput('invalidFilter', 'Groups are found by displayName, externalId or id.')
}

async function showGroups(
  { caller, services }: ScimRequest,
  rows: readonly ScimGroupRow[],
  hasMembers: boolean,
) {
  const ids = rows.map(({ id }) => id)
  const members = hasMembers
    ? await services.database.of(caller.organizationId).rows(membersOfGroups, { groupIds: ids })
    : undefined
  return rows.map(row => showGroup(services.publicUrl, row, members))
}

/** Returns the people whose membership in the unit changed, now or for their return. Error: invalidValue. */
async function changeMembers(
  tx: Tx,
  request: ScimRequest,
  group: GroupKey,
  { kind, ids }: MembersChange,
): Promise<string[]> {
  const changed: string[] = []
  if (kind !== 'add') {
    const current =
      kind === 'remove' ? ids : (await tx.rows(membersOfGroups, { groupIds: [group.id] })).map(({ id }) => id)
    const removed = kind === 'remove' ? ids : current.filter(id => !ids.includes(id))
    changed.push(...(await removeMembers(tx, request, group, removed)))
  }
  if (kind !== 'remove') changed.push(...(await addMembers(tx, request, group, ids)))
  return changed
}

async function addMembers(tx: Tx, { caller, services }: ScimRequest, { id, kind }: GroupKey, ids: string[]) {
  const users = await tx.rows(lockUsers, { ids })
  if (users.length < ids.length) refuseInput('invalidValue', 'A member is not a user of this organization.')
  const idsOf = (isMember: boolean) => users.filter(user => user.isMember === isMember).map(user => user.id)
  const added = await tx.rows(insertGroupMembers, { unitId: id, kind, ids: idsOf(true) })
  for (const member of added) await ownAccessChanged(tx, services, caller, member.id)
  const retained = await tx.rows(keepUnit, { unitId: id, ids: idsOf(false) })
  return [...added, ...retained].map(user => user.id)
}

async function removeMembers(tx: Tx, { caller, services }: ScimRequest, { id }: GroupKey, ids: string[]) {
  const removed = await tx.rows(deleteGroupMembers, { unitId: id, ids })
  for (const member of removed) {
    await ownAccessChanged(tx, services, caller, member.id)
    await services.membershipListener.unitLeft(tx, caller, member.id, id)
  }
  const dropped = await tx.rows(dropRetainedUnit, { unitId: id, ids })
  return [...removed, ...dropped].map(user => user.id)
}
