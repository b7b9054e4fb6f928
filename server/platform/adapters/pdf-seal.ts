import { inThread } from '../threads.ts'
import type {
  Pkcs12,
  readCertificate as readInThread,
  SealCertificate,
  SealCertificateProblem,
  SealFailure,
  sealPdf as sealInThread,
} from './pdf-seal/seal.ts'

export type { Pkcs12, SealCertificate, SealCertificateProblem }

/**
 * The certificate of a PKCS#12 file whose key it belongs to, or why the file cannot be used. A thread reads it, because the file
 * decides how much work its passphrase takes.
 */
export function readSealCertificate(pkcs12: Pkcs12): Promise<SealCertificate | SealCertificateProblem> {
  return inThread<typeof readInThread>(
    new URL('./pdf-seal/seal.ts', import.meta.url),
    'readCertificate',
    pkcs12,
  )
}

/**
 * Appends a signature (PAdES, ETSI.CAdES.detached, SHA-256) to a PDF, whose bytes stay in front of it. With a time stamp authority
 * the signature contains its time stamp (B-T), else it is B-B.
 */
export async function sealPdf(input: {
  pdf: Uint8Array
  pkcs12: Pkcs12
  timeStampUrl: string | undefined
  reason: string
}): Promise<{ pdf: Buffer } | SealFailure> {
  const sealed = await inThread<typeof sealInThread>(
    new URL('./pdf-seal/seal.ts', import.meta.url),
    'sealPdf',
    input,
  )
  if ('problem' in sealed) return sealed
  return { pdf: Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength) }
}
