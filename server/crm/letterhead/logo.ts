import { buffer } from 'node:stream/consumers'
import {
  type Letterhead,
  openLogo,
  openPublicLogo,
  removeLogo,
  uploadLogo,
} from '#contract/crm/letterhead.ts'
import { limits } from '#contract/limits.ts'
import {
  type Files,
  type Incoming,
  ObjectMissing,
  readWithin,
  StoreUnavailable,
  TooLarge,
} from '#platform/adapters/files.ts'
import { inspectPicture } from '#platform/adapters/pdf.ts'
import { storeObjects } from '#platform/data/stored-objects.ts'
import { fail } from '#platform/fail.ts'
import type { Form } from '#platform/http/multipart-form.ts'
import { command, stream, workflow } from '#platform/http/operation.ts'
import { isId } from '#platform/ids.ts'
import { addLogo, countLogos, letterheadOf, setLogo } from './letterhead.sql.ts'

/** The bytes are stored before the transaction that refers to them. */
export const upload = workflow(uploadLogo, async ({ caller, form, services, transact }) => {
  const incoming = await receiveLogo(form, services.files)
  try {
    const contentType = await inspectPicture({
      bytes: await buffer(incoming.read()),
      maxPixels: limits.logoPixels,
    })
    if (!contentType) refuse('file', 'format', 'is not a PNG or JPEG that documents can show')
    const { sha256 } = incoming
    await storeObjects(services, [incoming])
    return await transact(
      async tx => {
        await addLogo(tx, sha256)
        if ((await countLogos(tx)) > limits.logosPerOrganization)
          fail('TOO_MANY_FILES', { limit: limits.logosPerOrganization })
        await setLogo(tx, { sha256, contentType })
        return letterheadOf(tx)
      },
      { subject: caller.organizationId, changed: ['logo'] },
    )
  } finally {
    await incoming.discard()
  }
})

export const remove = command(removeLogo, async ({ tx, audit }) => {
  const before = await letterheadOf(tx)
  if (before.logo !== null) await setLogo(tx, null)
  audit(tx.organizationId, before.logo === null ? [] : ['logo'])
  return { ...before, logo: null }
})

export const open = stream(openLogo, async ({ db, services, reply }) => {
  const { logo } = await letterheadOf(db)
  if (logo === null) fail('FILE_NOT_FOUND')
  return reply
    .type(logo.contentType)
    .header('cache-control', 'private, no-store')
    .send(await readLogo(services.files, logo))
})

/** For pages and people without an account; its address names its bytes. */
export const openPublic = stream(openPublicLogo, async ({ params, services, reply }) => {
  const { organizationId, sha256 } = params
  if (!isId(organizationId)) fail('FILE_NOT_FOUND')
  const { logo } = await letterheadOf(services.database.of(organizationId))
  if (logo?.sha256 !== sha256) fail('FILE_NOT_FOUND')
  return reply
    .type(logo.contentType)
    .headers({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-robots-tag': 'noindex, nofollow',
    })
    .send(await readLogo(services.files, logo))
})

/** The bytes of the logo of a letterhead. Throws StoreUnavailable. */
export async function readLogo(files: Files, { sha256 }: NonNullable<Letterhead['logo']>): Promise<Buffer> {
  return readWithin(files, sha256, limits.signedPdfReadMs, buffer).catch(error => {
    if (!(error instanceof ObjectMissing)) throw error
    throw new StoreUnavailable('A logo is missing', { cause: error })
  })
}

/** Receives the form. Refuses VALIDATION_ERROR and BODY_TOO_LARGE. The caller discards the file. */
async function receiveLogo(form: Form, files: Files): Promise<Incoming> {
  let file: Incoming | undefined
  try {
    for await (const part of form) {
      if (part.kind !== 'file' || part.name !== 'file')
        refuse(part.name, 'unknown', 'is not a file of this operation')
      if (file) refuse('file', 'unique', 'occurs twice')
      file = await files.receive(part.bytes, limits.logoBytes)
    }
    return file ?? refuse('file', 'required', 'is missing')
  } catch (error) {
    await file?.discard()
    if (error instanceof TooLarge) fail('BODY_TOO_LARGE')
    throw error
  }
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
