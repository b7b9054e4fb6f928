import { exportAsset } from '#contract/studio/packages.ts'
import { ObjectMissing, StoreUnavailable } from '#platform/adapters/files.ts'
import { stream } from '#platform/http/operation.ts'
import { isAmong, leaveWhoDoesNotRead } from '../files/open.ts'
import { versionFor } from '../versions/version.access.ts'
import { writeArchive } from './archive/write.ts'
import { digestOf } from './contents.ts'
import { packageOf } from './load.ts'

/** Sends the package of a version. The same version always gives the same bytes (PKG-18). */
export const exportPackage = stream(
  exportAsset,
  async ({ db, caller, services, params, query, request, reply }) => {
    const reached = await versionFor(db, caller, params.id, query.version ?? 'current', 'read')
    const { layout = 'wrapped', profile = 'agent-skills', sidecar = true } = query
    const files = await packageOf(db, reached, { layout, profile, sidecar })
    const tag = `"${digestOf(files)}"`
    reply.headers({ ETag: tag, 'Cache-Control': 'private, no-cache' })
    const known = request.headers['if-none-match']
    if (known !== undefined && isAmong(tag, known)) return reply.code(304).send()
    const archive = await writeArchive(files, services.files).catch(error => {
      if (!(error instanceof ObjectMissing)) throw error
      throw new StoreUnavailable(`An attachment of ${params.id} has lost its bytes`, { cause: error })
    })
    leaveWhoDoesNotRead(reply)
    return reply
      .type('application/zip')
      .header('Content-Disposition', `attachment; filename="${reached.asset.slug}.zip"`)
      .send(archive)
  },
)
