import { exportAsset } from '#contract/studio/packages.ts'
import { ObjectMissing, StoreUnavailable } from '#platform/adapters/files.ts'
import { closeStalledDownload, matchesEtag } from '#platform/http/file-download.ts'
import { stream } from '#platform/http/operation.ts'
import { versionFor } from '../versions/version.access.ts'
import { writeArchive } from './archive/write-archive.ts'
import { loadPackage } from './load-package.ts'
import { packageDigest } from './package-files.ts'

/** Sends the package of a version. The same version always has the same bytes (PKG-18). */
export const exportPackage = stream(
  exportAsset,
  async ({ db, caller, services, params, query, request, reply }) => {
    const assetVersion = await versionFor(db, caller, params.id, query.version ?? 'current', 'read')
    const { layout = 'wrapped', profile = 'agent-skills', sidecar = true } = query
    const files = await loadPackage(db, assetVersion, { layout, profile, sidecar })
    const tag = `"${packageDigest(files)}"`
    reply.headers({ ETag: tag, 'Cache-Control': 'private, no-cache' })
    const ifNoneMatch = request.headers['if-none-match']
    if (ifNoneMatch !== undefined && matchesEtag(tag, ifNoneMatch)) return reply.code(304).send()
    const archive = await writeArchive(files, services.files).catch(error => {
      if (!(error instanceof ObjectMissing)) throw error
      throw new StoreUnavailable(`The content of an attachment of ${params.id} is missing`, { cause: error })
    })
    closeStalledDownload(reply)
    return reply
      .type('application/zip')
      .header('Content-Disposition', `attachment; filename="${assetVersion.asset.slug}.zip"`)
      .send(archive)
  },
)
