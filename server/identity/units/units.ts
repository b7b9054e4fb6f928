import { listMemberUnits } from '#contract/identity/organization.ts'
import { type UnitEndpoints, type UnitKind, units } from '#contract/identity/units.ts'
import type { Tx } from '#platform/data/db.ts'
import { likePattern } from '#platform/data/dynamic-filters.ts'
import { fail } from '#platform/fail.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { newId } from '#platform/ids.ts'
import { memberById, shareLockMember } from '../members/member.sql.ts'
import { ownAccessChanged } from '../person.access.ts'
import { failIfNameTaken } from '../roles/role.rules.ts'
import { deleteUnit } from './delete-unit.ts'
import * as store from './unit.sql.ts'

/** Departments, workspaces and groups: the same seven operations each. */
export const unitOperations: ServedOperation[] = units.flatMap(unit => [...unitOf(unit), ...membersOf(unit)])

export const ofMember = query(listMemberUnits, async ({ db, params, query }) => {
  const { limit, offset } = pageOf(query)
  const [member, items, count] = await Promise.all([
    db.first(memberById, { personId: params.personId }),
    db.rows(store.unitsOfMember, { personId: params.personId, limit, offset }),
    db.one(store.countedUnitsOfMember, { personId: params.personId }),
  ])
  if (!member) fail('MEMBER_NOT_FOUND')
  return { items, total: count.total, limit, offset }
})

function unitOf({ kind, list, create, rename, remove }: UnitEndpoints): ServedOperation[] {
  return [
    query(list, async ({ db, query }) => {
      const { limit, offset } = pageOf(query)
      const filters = { kind, search: likePattern(query.search) }
      const [items, count] = await Promise.all([
        db.rows(store.listedUnits({ ...filters, limit, offset }), { ...filters, limit, offset }),
        db.one(store.countedUnits(filters), filters),
      ])
      return { items, total: count.total, limit, offset }
    }),

    command(create, async ({ tx, body, audit }) => {
      const unit =
        (await tx.first(store.insertUnit, { id: newId(), kind, name: body.name.trim() })) ??
        fail('NAME_TAKEN')
      audit(unit.id, ['name'])
      return unit
    }),

    command(rename, async ({ tx, params, body, audit }) => {
      const unit = (await tx.first(store.lockUnit, { kind, id: params.id })) ?? fail('UNIT_NOT_FOUND')
      const name = body.name.trim()
      const renamed = await tx
        .one(store.setUnitName, { id: unit.id, name })
        .catch(failIfNameTaken('unit_name'))
      audit(unit.id, name === unit.name ? [] : ['name'])
      return renamed
    }),

    command(remove, async ({ tx, caller, params, services, audit }) => {
      const unit = (await tx.first(store.lockUnit, { kind, id: params.id })) ?? fail('UNIT_NOT_FOUND')
      await deleteUnit(tx, services, caller, unit.id)
      audit(unit.id)
    }),
  ]
}

function membersOf({ kind, listMembers, addMember, removeMember }: UnitEndpoints): ServedOperation[] {
  return [
    query(listMembers, async ({ db, params, query }) => {
      const { limit, offset } = pageOf(query)
      if (!(await db.first(store.unitById, { kind, id: params.id }))) fail('UNIT_NOT_FOUND')
      const [items, count] = await Promise.all([
        db.rows(store.listedUnitMembers, { unitId: params.id, limit, offset }),
        db.one(store.countedUnitMembers, { unitId: params.id }),
      ])
      return { items, total: count.total, limit, offset }
    }),

    command(addMember, async ({ tx, caller, params, services, audit }) => {
      await lockUnitAndMember(tx, kind, params)
      const added = await tx.run(store.insertUnitMember, {
        unitId: params.id,
        personId: params.personId,
        kind,
      })
      // a repeated call changes nothing and records nothing
      if (added === 0) tx.pending.isReplay = true
      else await ownAccessChanged(tx, services, caller, params.personId)
      audit(params.id, [`members.${params.personId}`])
    }),

    command(removeMember, async ({ tx, caller, params, services, audit }) => {
      await lockUnitAndMember(tx, kind, params)
      const removed = await tx.run(store.removeUnitMember, { unitId: params.id, personId: params.personId })
      if (removed === 0) tx.pending.isReplay = true
      else {
        await ownAccessChanged(tx, services, caller, params.personId)
        await services.membershipListener.unitLeft(tx, caller, params.personId, params.id)
      }
      audit(params.id, [`members.${params.personId}`])
    }),
  ]
}

/** Errors: UNIT_NOT_FOUND, MEMBER_NOT_FOUND. */
async function lockUnitAndMember(
  tx: Tx,
  kind: UnitKind,
  { id, personId }: { id: string; personId: string },
): Promise<void> {
  if (!(await tx.first(store.shareLockUnit, { kind, id }))) fail('UNIT_NOT_FOUND')
  if (!(await tx.first(shareLockMember, { personId }))) fail('MEMBER_NOT_FOUND')
}
