import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  updateSavedView,
} from '#contract/identity/views.ts'
import { limits } from '#contract/limits.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command, query } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockOrganization } from '../organization/organization.sql.ts'
import { filtersAsJson, mayChangeView, mayReadList, showView } from './view.rules.ts'
import {
  countViews,
  insertView,
  listedViews,
  lockView,
  removeView,
  setView,
  type ViewRow,
} from './view.sql.ts'

export const list = query(listSavedViews, async ({ db, caller, query }) => {
  if (!mayReadList(caller, query.list)) fail('PERMISSION_DENIED')
  const rows = await db.rows(listedViews, { list: query.list, personId: caller.personId })
  return { items: rows.map(row => showView(row, caller)) }
})

export const create = command(createSavedView, async ({ tx, caller, body, audit }) => {
  const { list, name, filters, isShared = false } = body
  if (!mayReadList(caller, list)) fail('PERMISSION_DENIED')
  const json = filtersAsJson(filters)
  await assertRoomForView(tx, caller.personId, isShared)
  const row = await tx.one(insertView, {
    id: newId(),
    list,
    name: name.trim(),
    filters: json,
    ownerId: caller.personId,
    isShared,
  })
  audit(row.id, ['list', 'name', 'filters', 'isShared'])
  return showView(row, caller)
})

export const update = command(updateSavedView, async ({ tx, caller, params, body, audit }) => {
  if (Object.keys(body).length === 0) fail('NOTHING_TO_CHANGE')
  const before = await changeableView(tx, caller, params.id)
  const name = body.name?.trim() ?? before.name
  const filters = body.filters ?? before.filters
  const isShared = body.isShared ?? before.is_shared
  const json = filtersAsJson(filters)
  const names = { name: 'name', filters: 'filters', is_shared: 'isShared' }
  const changed = changedFieldNames(names, before, { name, filters, is_shared: isShared })
  audit(before.id, changed)
  if (changed.length === 0) return showView(before, caller)
  if (isShared !== before.is_shared) await assertRoomForView(tx, before.owner_id, isShared)
  return showView(await tx.one(setView, { id: before.id, name, filters: json, isShared }), caller)
})

export const remove = command(deleteSavedView, async ({ tx, caller, params, audit }) => {
  const view = await changeableView(tx, caller, params.id)
  await tx.run(removeView, { id: view.id })
  audit(view.id)
})

/** Locks a view that the caller sees. Errors: VIEW_NOT_FOUND, PERMISSION_DENIED. */
async function changeableView(tx: Tx, caller: Caller, id: string): Promise<ViewRow> {
  const view = await tx.first(lockView, { id, personId: caller.personId })
  if (!view || !mayReadList(caller, view.list)) return fail('VIEW_NOT_FOUND')
  if (!mayChangeView(caller, view)) fail('PERMISSION_DENIED')
  return view
}

/** Refuses TOO_MANY_VIEWS. Locks the organization, so that nobody else counts at the same time (VIEW-4). */
async function assertRoomForView(tx: Tx, ownerId: string, isShared: boolean): Promise<void> {
  await tx.first(lockOrganization)
  const { shared, own } = await tx.one(countViews, { personId: ownerId })
  if (isShared ? shared >= limits.sharedViews : own >= limits.viewsPerPerson) fail('TOO_MANY_VIEWS')
}
