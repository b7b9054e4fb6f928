import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { AssetRow } from '../assets/asset.access.ts'
import { saveAsset } from '../assets/write.ts'
import { withoutVerification } from '../versions/version.rules.ts'

/** Emits the event of changed attachments of a locked asset, and removes the verification of the version (AST-30). */
export async function recordFilesChanged(
  tx: Tx,
  caller: Caller,
  asset: AssetRow,
  versionId: string,
): Promise<void> {
  const isVerified = asset.verified_version_id === versionId
  const after = isVerified ? withoutVerification(asset) : asset
  emit(tx, caller, 'ai-asset.updated', {
    assetId: asset.id,
    slug: asset.slug,
    changes: isVerified ? ['files', 'verified'] : ['files'],
  })
  await saveAsset(tx, asset, after)
}
