import { readSealCertificate, removeSealCertificate, uploadSealCertificate } from '#contract/crm/seals.ts'
import { limits } from '#contract/limits.ts'
import { type Pkcs12, readSealCertificate as readFile } from '#platform/adapters/pdf-seal.ts'
import { now } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import type { Form } from '#platform/http/multipart-form.ts'
import { command, query, workflow } from '#platform/http/operation.ts'
import { retrySeals } from './budget-seal.sql.ts'
import { hidePkcs12 } from './pkcs12-key.ts'
import { deleteSealCertificate, sealCertificateOf, setSealCertificate } from './seal-certificate.sql.ts'

export const read = query(readSealCertificate, ({ db }) => sealCertificateOf(db))

/** Only a file that opens, and whose certificate is valid now, replaces the current one (SEAL-1). */
export const upload = workflow(uploadSealCertificate, async ({ caller, form, services, transact }) => {
  const pkcs12 = await receive(form)
  const certificate = await readFile(pkcs12)
  if (certificate === 'WRONG_PASSPHRASE') refuse('passphrase', 'format', 'does not open the file')
  if (certificate === 'NOT_READABLE')
    refuse('file', 'format', 'is not a PKCS#12 file with an RSA or EC key and its certificate')
  const { validFrom, validUntil } = certificate
  const at = now().toISOString()
  if (at < validFrom || at > validUntil)
    refuse('file', 'validity', `has a certificate that is valid from ${validFrom} until ${validUntil}`)
  const { organizationId } = caller
  return transact(
    async tx => {
      await setSealCertificate(tx, certificate, hidePkcs12(services.cipher, organizationId, pkcs12))
      await retrySeals(tx)
      return sealCertificateOf(tx)
    },
    {
      subject: organizationId,
      changed: ['sealCertificate'],
      detail: { serialNumber: certificate.serialNumber },
    },
  )
})

export const remove = command(removeSealCertificate, async ({ tx, audit }) => {
  const wasThere = await deleteSealCertificate(tx)
  // they report that the certificate is missing
  await retrySeals(tx)
  audit(tx.organizationId, wasThere ? ['sealCertificate'] : [])
  return sealCertificateOf(tx)
})

/** Receives the form. Refuses VALIDATION_ERROR and BODY_TOO_LARGE. */
async function receive(form: Form): Promise<Pkcs12> {
  let bytes: Buffer | undefined
  let passphrase = ''
  for await (const part of form) {
    if (part.kind === 'field' && part.name === 'passphrase') {
      if (part.value.length > limits.sealPassphrase) refuse('passphrase', 'maxLength', 'is too long')
      passphrase = part.value
    } else if (part.kind === 'file' && part.name === 'file') {
      if (bytes) refuse('file', 'unique', 'occurs twice')
      bytes = await readFileAtMost(part.bytes, limits.sealCertificateBytes)
    } else refuse(part.name, 'unknown', 'is not a part of this operation')
  }
  return { bytes: bytes ?? refuse('file', 'required', 'is missing'), passphrase }
}

async function readFileAtMost(stream: AsyncIterable<Buffer>, bytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream) {
    size += piece.length
    if (size > bytes) fail('BODY_TOO_LARGE')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}
