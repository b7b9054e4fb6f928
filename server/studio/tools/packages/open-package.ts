import { openPackage } from '#contract/studio/tools.ts'
import { ObjectMissing, StoreUnavailable } from '#platform/adapters/files.ts'
import type { Db } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { attachmentDisposition, closeStalledDownload } from '#platform/http/file-download.ts'
import { stream } from '#platform/http/operation.ts'
import type { Services } from '#platform/services.ts'
import { readerOf } from '../../assets/asset.access.ts'
import { writeArchive } from '../../packages/archive/write-archive.ts'
import { filesOfVersions, type PublishedContentRow, readableVersion, versionForAddress } from '../tool.sql.ts'
import { toolFilesOf } from '../tool-package.ts'
import { isSigned } from './package-addresses.ts'

/** Sends a published version for installation, by token or signed address. */
export const open = stream(openPackage, async ({ db, caller, params, query, services, reply }) => {
  const { row, from } = await authorizedVersion(db, caller, services, { ...params, ...query })
  const files = (await filesOfVersions(from, [row.version_id])).get(row.version_id) ?? []
  const all = toolFilesOf(row, files, query.profile)
  reply.header('Content-Disposition', attachmentDisposition(params.file))
  if (params.file === 'SKILL.md') {
    const { content } = all.find(({ path }) => path === params.file) ?? fail('ASSET_NOT_FOUND')
    return reply.type('text/markdown; charset=utf-8').send(content)
  }
  const archive = await writeArchive(all, services.files).catch(error => {
    if (!(error instanceof ObjectMissing)) throw error
    throw new StoreUnavailable(`The content of an attachment of ${row.id} is missing`, { cause: error })
  })
  closeStalledDownload(reply)
  return reply.type('application/zip').send(archive)
})

type PackageRequest = Parameters<typeof isSigned>[1]

/** The version, if the owner of the token may read it, or the address is signed and has not expired. */
async function authorizedVersion(
  db: Db,
  caller: Caller | undefined,
  { seals, database }: Pick<Services, 'seals' | 'database'>,
  request: Omit<PackageRequest, 'organization' | 'expires' | 'signature'> & Partial<PackageRequest>,
): Promise<{ row: PublishedContentRow; from: Db }> {
  if (caller) {
    const row = await readableVersion(db, readerOf(caller), request.versionId)
    return { row: row ?? fail('ASSET_NOT_FOUND'), from: db }
  }
  const { organization = '', expires = 0, signature = '' } = request
  if (!isSigned(seals, { ...request, organization, expires, signature })) fail('FILE_ADDRESS_INVALID')
  const from = database.of(organization)
  const { isExpired, row } = await versionForAddress(from, request.versionId, expires)
  if (isExpired) fail('FILE_ADDRESS_INVALID')
  return { row: row ?? fail('ASSET_NOT_FOUND'), from }
}
