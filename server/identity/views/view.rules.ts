import { type SavedView, type ViewList, viewListPermissions } from '#contract/identity/views.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { ViewRow } from './view.sql.ts'

/** Whether the caller may read a list, and with it the views of that list (VIEW-2). */
export function mayReadList({ permissions }: Pick<Caller, 'permissions'>, list: ViewList): boolean {
  const permission = viewListPermissions[list]
  return permission === null || permissions.has(permission)
}

/** The owner changes a view; people with ORG_MANAGE change shared ones (VIEW-3). */
export function mayChangeView(
  { personId, permissions }: Pick<Caller, 'personId' | 'permissions'>,
  { owner_id, is_shared }: Pick<ViewRow, 'owner_id' | 'is_shared'>,
): boolean {
  return owner_id === personId || (is_shared && permissions.has('ORG_MANAGE'))
}

/** The filters as JSON. Refuses VALIDATION_ERROR for too many bytes. */
export function filtersAsJson(filters: SavedView['filters']): string {
  const json = JSON.stringify(filters)
  if (Buffer.byteLength(json) > limits.viewFilterBytes) {
    const message = `must not have more than ${limits.viewFilterBytes} bytes as JSON`
    fail('VALIDATION_ERROR', { details: [{ path: 'filters', code: 'maxBytes', message }] })
  }
  return json
}

/** Converts a row to its reply. */
export function showView(row: ViewRow, caller: Pick<Caller, 'personId' | 'permissions'>): SavedView {
  return {
    id: row.id,
    list: row.list,
    name: row.name,
    filters: row.filters,
    isShared: row.is_shared,
    owner: { id: row.owner_id, name: row.owner_name },
    mayChange: mayChangeView(caller, row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
