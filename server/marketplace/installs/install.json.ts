import type { Install } from '#contract/marketplace/installs.ts'
import type { InstallRow } from './install.sql.ts'

/** An installed copy of an entry. */
export function showInstall(row: InstallRow): Install {
  return {
    installId: row.id,
    entryId: row.entry_id,
    entryName: row.entry_name,
    installedAssetId: row.installed_asset_id,
    installedVersion: row.installed_version,
    filesCopied: row.files_copied,
    filesFailed: row.files_failed,
    customName: row.custom_name,
    installedBy: { id: row.person_id, name: row.person_name },
    createdAt: row.created_at,
    updateAvailable: row.update_available,
  }
}
