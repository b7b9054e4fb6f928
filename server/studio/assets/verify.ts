import { verifyAsset } from '#contract/studio/lifecycle.ts'
import { now } from '#platform/clock.ts'
import { emit } from '#platform/events/emit.ts'
import { command } from '#platform/http/operation.ts'
import { lockAsset } from './asset.access.ts'
import { assertNotArchived } from './asset.rules.ts'
import { memberName } from './asset.sql.ts'
import { saveAsset } from './write.ts'

/** Verifies the active version. Verifying it again changes nothing (AST-28). */
export const verify = command(verifyAsset, async ({ tx, caller, params: { id }, audit }) => {
  const asset = await lockAsset(tx, caller, id, 'read')
  assertNotArchived(asset)
  audit(id)
  const isNew = asset.verified_version_id !== asset.current_version_id
  const verified = isNew
    ? {
        ...asset,
        verified_version_id: asset.current_version_id,
        verified_version: asset.current_version,
        verified_by: caller.personId,
        verified_at: now().toISOString(),
      }
    : asset
  if (isNew) {
    await saveAsset(tx, asset, verified)
    emit(tx, caller, 'ai-asset.verified', { assetId: id, slug: asset.slug, version: asset.current_version })
    audit(id, ['verified'])
  }
  return {
    id,
    verified: true,
    verifiedAt: verified.verified_at!,
    verifiedBy: { id: verified.verified_by!, name: await memberName(tx, verified.verified_by!) },
    verifiedVersion: verified.verified_version!,
  }
})
