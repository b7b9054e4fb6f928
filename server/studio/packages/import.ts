import { type Finding, importAsset } from '#contract/studio/packages.ts'
import type { Tx } from '#platform/data/database.ts'
import { storeObjects } from '#platform/data/stored-objects.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { AlternateReply, type Services, workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { showCreated } from '../assets/asset.json.ts'
import { tidyTags } from '../assets/asset.rules.ts'
import { addAsset } from '../assets/write.ts'
import { showFile } from '../files/file.json.ts'
import { filesOf, insertFiles } from '../files/file.sql.ts'
import type { Received } from '../files/receive.ts'
import { openArchive } from './archive/open.ts'
import type { Spool } from './archive/spool.ts'
import { Excess, Flaw } from './findings.ts'
import { type Interpreted, interpret } from './interpret.ts'
import { showReport } from './package.json.ts'
import type { Packaged } from './packaged.ts'
import { receivePackage } from './receive.ts'
import { differencesFrom } from './sidecar.ts'
import { takeFiles } from './take.ts'

/**
 * Makes a PRIVATE DRAFT of the caller with its first version and its attachments (PKG-2). A refused package leaves
 * nothing behind (PKG-3). With `dryRun` the server only reports (PKG-10).
 */
export const importPackage = workflow(importAsset, async ({ caller, form, query, services, transact }) => {
  const received: Received[] = []
  const upload = await receivePackage(form)
  try {
    const { packaged, errors, warnings } = await unpack(upload, services, received, query.dryRun === true)
    if (query.dryRun) return new AlternateReply(showReport(packaged, received, { errors, warnings }))
    if (!packaged || errors.length > 0) return refuse(errors)
    await storeObjects(
      services,
      received.map(({ incoming }) => incoming),
    )
    const subject: { subject?: string } = {}
    const created = await transact(async tx => {
      const { asset, files } = await add(tx, caller, packaged, received)
      subject.subject = asset.id
      return { ...showCreated(asset), files: files.map(showFile) }
    }, subject)
    return { ...created, warnings: [...warnings] }
  } finally {
    await Promise.all([upload.close(), ...received.map(({ incoming }) => incoming.discard())])
  }
})

type Unpacked = Pick<Interpreted, 'packaged' | 'errors' | 'warnings'>

/** Understands the package and receives its attachments. What is wrong with it is among the errors. */
async function unpack(
  upload: Spool,
  services: Pick<Services, 'files' | 'maxFileBytes'>,
  received: Received[],
  isReport: boolean,
): Promise<Unpacked> {
  let read: Unpacked = { packaged: undefined, errors: [], warnings: [] }
  try {
    const archive = await openArchive(upload, services)
    const { attached, sidecar, ...understood } = await interpret(archive)
    read = understood
    if (read.errors.length > 0 && !isReport) return read
    await takeFiles(archive, attached, services.files, received)
    const differences = sidecar ? differencesFrom(sidecar, received) : []
    return { ...read, warnings: [...read.warnings, ...differences] }
  } catch (error) {
    if (error instanceof Flaw) return { ...read, errors: [...read.errors, ...error.findings] }
    if (!(error instanceof Excess)) throw error
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

async function add(tx: Tx, caller: Caller, packaged: Packaged, received: readonly Received[]) {
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
    tags: tidyTags(packaged.tags),
    version: packaged.version,
    changelog: packaged.changelog,
    collectionIds: [],
  })
  const of = { assetId: asset.id, versionId: asset.current_version_id, createdBy: caller.personId }
  emit(tx, caller, 'ai-asset.created', { assetId: asset.id, slug: asset.slug })
  const [, files] = await Promise.all([
    insertFiles(
      tx,
      received.map(({ path, contentType, incoming: { size, sha256 } }) => ({
        ...of,
        id: newId(),
        path,
        contentType,
        size,
        sha256,
      })),
    ),
    filesOf(tx, of.versionId),
  ])
  return { asset, files }
}
