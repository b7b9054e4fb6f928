import { type UnitEndpoints, type UnitKind, units } from '#contract/identity/units.ts'
import type { Tx } from '#platform/data/database.ts'
import { containing } from '#platform/data/dynamic-filters.ts'
import { fail } from '#platform/fail.ts'
import { changes, reads, type Served } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { holdMember } from '../members/member.sql.ts'
import { accessChanged } from '../person.access.ts'
import { orNameTaken } from '../roles/role.rules.ts'
import * as store from './unit.sql.ts'

/** Departments, workspaces and groups: the same seven operations each. */
export const unitOperations: Served[] = units.flatMap(unit => [...unitOf(unit), ...membersOf(unit)])

function unitOf({ kind, list, create, rename, remove }: UnitEndpoints): Served[] {
  return [
    reads(list, async ({ db, query }) => {
      const { limit = 20, offset = 0 } = query
      const search = containing(query.search)
      const [items, counted] = await Promise.all([
        db.rows(store.listedUnits(search), kind, search, limit, offset),
        db.first(store.countedUnits(search), kind, search),
      ])
      return { items, total: counted!.total, limit, offset }
    }),

    changes(create, async ({ tx, body, audits }) => {
      const unit = (await tx.first(store.insertUnit, newId(), kind, body.name.trim())) ?? fail('NAME_TAKEN')
      audits(unit.id, ['name'])
      return unit
    }),

    changes(rename, async ({ tx, params, body, audits }) => {
      const unit = (await tx.first(store.lockUnit, kind, params.id)) ?? fail('UNIT_NOT_FOUND')
      const name = body.name.trim()
      const renamed = await tx.first(store.setUnitName, unit.id, name).catch(orNameTaken('unit_name'))
      audits(unit.id, name === unit.name ? [] : ['name'])
      return renamed!
    }),

    changes(remove, async ({ tx, params, world, audits }) => {
      const unit = (await tx.first(store.lockUnit, kind, params.id)) ?? fail('UNIT_NOT_FOUND')
      await tx.run(store.removeUnit, unit.id)
      await accessChanged(tx, world, null)
      audits(unit.id)
    }),
  ]
}

function membersOf({ kind, listMembers, addMember, removeMember }: UnitEndpoints): Served[] {
  return [
    reads(listMembers, async ({ db, params, query }) => {
      const { limit = 20, offset = 0 } = query
      if (!(await db.first(store.unitById, kind, params.id))) fail('UNIT_NOT_FOUND')
      const [items, counted] = await Promise.all([
        db.rows(store.listedUnitMembers, params.id, limit, offset),
        db.first(store.countedUnitMembers, params.id),
      ])
      return { items, total: counted!.total, limit, offset }
    }),

    changes(addMember, async ({ tx, params, world, audits }) => {
      await holdBoth(tx, kind, params)
      const added = await tx.run(store.insertUnitMember, params.id, params.personId, kind)
      // a repetition changed nothing, so there is nothing to record
      if (added === 0) tx.said.repeated = true
      else await accessChanged(tx, world, params.personId)
      audits(params.id, [`members.${params.personId}`])
    }),

    changes(removeMember, async ({ tx, caller, params, world, audits }) => {
      await holdBoth(tx, kind, params)
      const removed = await tx.run(store.removeUnitMember, params.id, params.personId)
      if (removed === 0) tx.said.repeated = true
      else {
        await accessChanged(tx, world, params.personId)
        await world.follower.unitLeft(tx, caller, params.personId, params.id)
      }
      audits(params.id, [`members.${params.personId}`])
    }),
  ]
}

/** Errors: UNIT_NOT_FOUND, MEMBER_NOT_FOUND. */
async function holdBoth(
  tx: Tx,
  kind: UnitKind,
  { id, personId }: { id: string; personId: string },
): Promise<void> {
  if (!(await tx.first(store.holdUnit, kind, id))) fail('UNIT_NOT_FOUND')
  if (!(await tx.first(holdMember, personId))) fail('MEMBER_NOT_FOUND')
}
