import { listEntryInstalls, listInstalls } from '#contract/marketplace/installs.ts'
import { readInstall } from '#contract/marketplace/provenance.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { type Page, pageOf } from '#platform/http/pagination.ts'
import { firstOf } from '#platform/required.ts'
import { readerOf } from '#server/studio/index.ts'
import { entryFor } from '../entries/entry.access.ts'
import { showProvenance } from '../provenance/statement.ts'
import { showInstall } from './install.json.ts'
import { type InstallRow, listInstallsOf, listOwnInstalls, ownInstall } from './install.sql.ts'

type Rows = Awaited<ReturnType<typeof listOwnInstalls>>

/** Lists the caller's installs. A deleted copy has no id (INS-9, INS-10). */
export const list = query(listInstalls, async ({ db, caller, query }) => {
  const page = pageOf(query)
  return shown(await listOwnInstalls(db, readerOf(caller), page), page)
})

/**
 * Lists the installs of an entry in the caller's organization (INS-11). Copies that the caller may not read have no id and
 * name (INS-10). An organization with installs may list them even if the entry is withdrawn.
 */
export const listOfEntry = query(listEntryInstalls, async ({ db, caller, params: { id }, query }) => {
  const page = pageOf(query)
  const rows = await listInstallsOf(db, readerOf(caller), id, page)
  if (firstOf(rows).total === 0) await entryFor(db, caller, id)
  return shown(rows, page)
})

/** Reads an install of the caller with its provenance statement. */
export const read = query(readInstall, async ({ db, caller, params: { id } }) => {
  const row = (await ownInstall(db, readerOf(caller), id)) ?? fail('INSTALL_NOT_FOUND')
  return { ...showInstall(row), provenance: showProvenance(row) }
})

function shown(rows: Rows, page: Page) {
  const items = rows.filter((row): row is { total: number } & InstallRow => row.id !== null)
  return { items: items.map(showInstall), total: firstOf(rows).total, ...page }
}
