import { type Finding, importAsset } from '#contract/studio/packages.ts'
import type { Tx } from '#platform/data/db.ts'
import { storeObjects } from '#platform/data/stored-objects.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { AlternateReply, workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import type { UploadServices } from '#platform/services.ts'
import { showCreated } from '../assets/asset.json.ts'
import { normalizeTags } from '../assets/asset.rules.ts'
import { addAsset } from '../assets/write.ts'
import { showFile } from '../files/file.json.ts'
import { filesOf, insertFiles } from '../files/file.sql.ts'
import type { ReceivedFile } from '../files/receive-files.ts'
import { openArchive } from './archive/open-archive.ts'
import type { Spool } from './archive/spool.ts'
import { extractAttachments } from './extract-attachments.ts'
import { type InterpretedPackage, interpretPackage } from './interpret.ts'
import { showReport } from './package.json.ts'
import { InvalidPackageError, PackageTooLargeError } from './package-errors.ts'
import type { PackagedAsset } from './packaged-asset.ts'
import { receivePackage } from './receive-package.ts'
import { sidecarDifferences } from './sidecar.ts'

/**
 * Creates a PRIVATE DRAFT of the caller with its first version and its attachments (PKG-2). A rejected package leaves
 * nothing behind (PKG-3). With `dryRun` nothing is stored and the reply is a report (PKG-10).
 */
export const importPackage = workflow(importAsset, async ({ caller, form, query, services, transact }) => {
  const received: ReceivedFile[] = []
  const upload = await receivePackage(form)
  try {
    const { packaged, errors, warnings } = await readPackage(
      upload,
      services,
      received,
      query.dryRun === true,
    )
    if (query.dryRun) return new AlternateReply(showReport(packaged, received, { errors, warnings }))
    if (!packaged || errors.length > 0) return refuse(errors)
    await storeObjects(
      services,
      received.map(({ incoming }) => incoming),
    )
    const subject: { subject?: string } = {}
    const created = await transact(async tx => {
      const { asset, files } = await addPackagedAsset(tx, caller, packaged, received)
      subject.subject = asset.id
      return { ...showCreated(asset), files: files.map(showFile) }
    }, subject)
    return { ...created, warnings: [...warnings] }
  } finally {
    await Promise.all([upload.close(), ...received.map(({ incoming }) => incoming.discard())])
  }
})

type ReadPackage = Pick<InterpretedPackage, 'packaged' | 'errors' | 'warnings'>

/** Reads the package and receives its attachments. Returns the errors of an invalid package. */
async function readPackage(
  upload: Spool,
  services: UploadServices,
  received: ReceivedFile[],
  isReport: boolean,
): Promise<ReadPackage> {
  let read: ReadPackage = { packaged: undefined, errors: [], warnings: [] }
  try {
    const archive = await openArchive(upload, services)
    const { attachments, sidecar, ...interpreted } = await interpretPackage(archive)
    read = interpreted
    if (read.errors.length > 0 && !isReport) return read
    await extractAttachments(archive, attachments, services.files, received)
    const differences = sidecar ? sidecarDifferences(sidecar, received) : []
    return { ...read, warnings: [...read.warnings, ...differences] }
  } catch (error) {
    if (error instanceof InvalidPackageError) return { ...read, errors: [...read.errors, ...error.findings] }
    if (!(error instanceof PackageTooLargeError)) throw error
    const { code, path, limit, message } = error
    return fail('PACKAGE_TOO_LARGE', { limit, details: [{ path: path ?? '', code, message }] })
  }
}

function refuse(errors: readonly Finding[]): never {
  const details = errors.map(({ path, code, line, message }) => ({
    path: path ?? '',
    code,
    message: line === null ? message : `Line ${line}: ${message}`,
  }))
  return fail('PACKAGE_INVALID', { details })
}

async function addPackagedAsset(
  tx: Tx,
  caller: Caller,
  packaged: PackagedAsset,
  received: readonly ReceivedFile[],
) {
  const { type, name, slug, description, bodyMarkdown, frontmatter, frontmatterText } = packaged
  const asset = await addAsset(tx, caller, {
    type,
    name,
    slug,
    description,
    bodyMarkdown,
    frontmatter,
    frontmatterText,
    iconName: packaged.iconName,
    color: packaged.color,
    visibility: 'PRIVATE',
    departmentSet: '',
    tags: normalizeTags(packaged.tags),
    version: packaged.version,
    changelog: packaged.changelog,
    collectionIds: [],
  })
  const target = { assetId: asset.id, versionId: asset.current_version_id, createdBy: caller.personId }
  emit(tx, caller, 'ai-asset.created', { assetId: asset.id, slug: asset.slug })
  const [, files] = await Promise.all([
    insertFiles(
      tx,
      received.map(({ path, contentType, incoming: { size, sha256 } }) => ({
        ...target,
        id: newId(),
        path,
        contentType,
        size,
        sha256,
      })),
    ),
    filesOf(tx, target.versionId),
  ])
  return { asset, files }
}
