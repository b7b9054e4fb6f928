import { verify, X509Certificate } from 'node:crypto'
import { P12Signer, PDF, type Signer } from '@libpdf/core'
import { timeStampToken } from '../../security/time-stamp.ts'
import { openTimeStamps } from '../time-stamps.ts'

/** A PKCS#12 file with its passphrase. */
export type Pkcs12 = { bytes: Uint8Array; passphrase: string }

/** The facts of a certificate that may seal documents. */
export type SealCertificate = {
  /** `CN=…, O=…`, with all parts. */
  subject: string
  issuer: string
  serialNumber: string
  /** In UTC with milliseconds. */
  validFrom: string
  validUntil: string
}

/** WRONG_PASSPHRASE: also if the file was altered. NOT_READABLE: no PKCS#12 file with an RSA or EC key and its certificate. */
export type SealCertificateProblem = 'WRONG_PASSPHRASE' | 'NOT_READABLE'

/** Reserved in the document for the signature and its attributes. */
const signatureBytes = 4_096
/** Reserved for a time stamp, which contains the certificates of the authority. */
const timeStampBytes = 24_576

/** Reads a PKCS#12 file; see readSealCertificate. */
export async function readCertificate(pkcs12: Pkcs12): Promise<SealCertificate | SealCertificateProblem> {
  try {
    const { certificate } = await openSigner(pkcs12)
    const { subject, issuer, serialNumber, validFromDate, validToDate } = new X509Certificate(certificate)
    return {
      subject: inOneLine(subject),
      issuer: inOneLine(issuer),
      serialNumber: serialNumber.toLowerCase(),
      validFrom: validFromDate.toISOString(),
      validUntil: validToDate.toISOString(),
    }
  } catch (error) {
    return /password|integrity/i.test(String(error)) ? 'WRONG_PASSPHRASE' : 'NOT_READABLE'
  }
}

/** Why a document was not sealed. */
export type SealFailure = { problem: 'TIME_STAMP_FAILED' | 'FAILED'; message: string }

/** Seals a PDF; see sealPdf of pdf-seal.ts. Errors do not keep their class between threads. */
export async function sealPdf({
  pdf,
  pkcs12,
  timeStampUrl,
  reason,
}: {
  pdf: Uint8Array
  pkcs12: Pkcs12
  timeStampUrl: string | undefined
  reason: string
}): Promise<Uint8Array | SealFailure> {
  let problem: SealFailure['problem'] = 'FAILED'
  try {
    const signer = await openSigner(pkcs12)
    const document = await PDF.load(pdf)
    const certificates = [signer.certificate, ...(signer.certificateChain ?? [])]
    const certificateBytes = certificates.reduce((sum, { length }) => sum + length, 0)
    const common = {
      signer,
      reason,
      subFilter: 'ETSI.CAdES.detached',
      digestAlgorithm: 'SHA-256',
      estimatedSize: signatureBytes + certificateBytes + (timeStampUrl === undefined ? 0 : timeStampBytes),
    } as const
    if (timeStampUrl === undefined) return (await document.sign({ ...common, level: 'B-B' })).bytes
    const authority = openTimeStamps(timeStampUrl)
    const timestamp = async (digest: Uint8Array) => {
      problem = 'TIME_STAMP_FAILED'
      const { reply } = await authority.stamp(Buffer.from(digest))
      problem = 'FAILED'
      return timeStampToken(reply)
    }
    return (await document.sign({ ...common, level: 'B-T', timestampAuthority: { timestamp } })).bytes
  } catch (error) {
    return { problem, message: error instanceof Error ? error.message : String(error) }
  }
}

/** A signer with the certificate that belongs to the key: a file may have its issuers first. */
async function openSigner({ bytes, passphrase }: Pkcs12): Promise<Signer> {
  const opened = await P12Signer.create(bytes, passphrase)
  const probe = Buffer.from('which certificate belongs to this key')
  const signature = await opened.sign(probe, 'SHA-256')
  const all = [opened.certificate, ...opened.certificateChain]
  const certificate = all.find(one => {
    const { publicKey } = new X509Certificate(one)
    const isOfKind = publicKey.asymmetricKeyType === (opened.keyType === 'RSA' ? 'rsa' : 'ec')
    return isOfKind && verify('sha256', probe, publicKey, signature)
  })
  if (!certificate) throw new Error('The file has no certificate for its key')
  return {
    certificate,
    certificateChain: all.filter(one => one !== certificate),
    keyType: opened.keyType,
    signatureAlgorithm: opened.signatureAlgorithm,
    sign: (data, algorithm) => opened.sign(data, algorithm),
  }
}

function inOneLine(name: string): string {
  return name.split('\n').reverse().join(', ').slice(0, 300)
}
