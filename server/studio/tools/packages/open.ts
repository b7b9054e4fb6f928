import { openPackage } from '#contract/studio/tools.ts'
import { ObjectMissing, StoreUnavailable } from '#platform/adapters/files.ts'
import type { Db } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type Services, stream } from '#platform/http/operation.ts'
import { readerOf } from '../../assets/asset.access.ts'
import { attachmentNamed } from '../../files/file.rules.ts'
import { leaveWhoDoesNotRead } from '../../files/open.ts'
import { writeArchive } from '../../packages/archive/write.ts'
import { toolFilesOf } from '../packaged.ts'
import { type ContentRow, filesOfVersions, readableVersion, versionUntil } from '../tool.sql.ts'
import { isSigned } from './addresses.ts'

/** A published version as tools install it, by token or by a signed address. */
export const open = stream(openPackage, async ({ db, caller, params, query, services, reply }) => {
  const { row, from } = await reached(db, caller, services, { ...params, ...query })
  const files = (await filesOfVersions(from, [row.version_id])).get(row.version_id) ?? []
  const all = toolFilesOf(row, files, query.profile)
  reply.header('Content-Disposition', attachmentNamed(params.file))
  if (params.file === 'SKILL.md') {
    const { content } = all.find(({ path }) => path === params.file) ?? fail('ASSET_NOT_FOUND')
    return reply.type('text/markdown; charset=utf-8').send(content)
  }
  const archive = await writeArchive(all, services.files).catch(error => {
    if (!(error instanceof ObjectMissing)) throw error
    throw new StoreUnavailable(`An attachment of ${row.id} is not there`, { cause: error })
  })
  leaveWhoDoesNotRead(reply)
  return reply.type('application/zip').send(archive)
})

type Asked = Parameters<typeof isSigned>[1]

/** The version, if the token's person may read it or the address is signed and still good. */
async function reached(
  db: Db,
  caller: Caller | undefined,
  { seals, database }: Services,
  asked: Omit<Asked, 'organization' | 'expires' | 'signature'> & Partial<Asked>,
): Promise<{ row: ContentRow; from: Db }> {
  if (caller) {
    const row = await readableVersion(db, readerOf(caller), asked.versionId)
    return { row: row ?? fail('ASSET_NOT_FOUND'), from: db }
  }
  const { organization = '', expires = 0, signature = '' } = asked
  if (!isSigned(seals, { ...asked, organization, expires, signature })) fail('FILE_ADDRESS_INVALID')
  const from = database.of(organization)
  const { isOver, row } = await versionUntil(from, asked.versionId, expires)
  if (isOver) fail('FILE_ADDRESS_INVALID')
  return { row: row ?? fail('ASSET_NOT_FOUND'), from }
}
