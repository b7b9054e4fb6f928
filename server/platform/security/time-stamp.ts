import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { type BaseBlock, type Constructed, Integer, OctetString, type Sequence } from 'asn1js'
import {
  AlgorithmIdentifier,
  Certificate,
  type ContentInfo,
  type ExtKeyUsage,
  getCrypto,
  IssuerAndSerialNumber,
  MessageImprint,
  PKIStatus,
  SignedData,
  type SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs'

/** The facts of a time stamp that was checked. */
export type TimeStamp = {
  /** The time that the authority states, in UTC with milliseconds. */
  at: string
  /** The name of the authority, from its certificate: `CN=…, O=…`. */
  authority: string
  /** The object identifier of its policy. */
  policy: string
  /** Its number of the token, in hexadecimal digits. */
  serialNumber: string
}

/** A request for a time stamp; the reply must repeat the nonce. */
export type TimeStampRequest = { bytes: Buffer; nonce: Buffer }

/** The reply of a time stamp authority that cannot be used. REFUSED: the authority grants no time stamp. */
export class TimeStampProblem extends Error {
  readonly kind: 'REFUSED' | 'INVALID'
  constructor(kind: 'REFUSED' | 'INVALID', message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

const oids = {
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
  signedData: '1.2.840.113549.1.7.2',
  timeStampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  extendedKeyUsage: '2.5.29.37',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  rsaEncryption: '1.2.840.113549.1.1.1',
} as const
const digestNames: Record<string, string> = {
  [oids.sha1]: 'sha1',
  [oids.sha256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}
const nonceBytes = 16

/** A request (RFC 3161) for a time stamp over a SHA-256 of 32 bytes, which asks for the certificate of the authority. */
export function timeStampRequest(sha256: Buffer): TimeStampRequest {
  const nonce = randomBytes(nonceBytes)
  // a positive number of exactly this length
  nonce[0] = 0x40 | (nonce[0]! & 0x3f)
  const request = new TimeStampReq({
    version: 1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithmId: oids.sha256 }),
      hashedMessage: new OctetString({ valueHex: exactly(sha256) }),
    }),
    nonce: new Integer({ valueHex: exactly(nonce) }),
    certReq: true,
  })
  return { bytes: Buffer.from(request.toSchema().toBER(false)), nonce }
}

/**
 * Checks the reply of a time stamp authority (RFC 3161): it is granted, it is over this SHA-256, it repeats the nonce if there is
 * one, and its signature is valid over its content, by a certificate for time stamps that was valid at that time. Whether to trust
 * the certificate is not checked. Throws TimeStampProblem.
 */
export async function checkTimeStamp(reply: Buffer, sha256: Buffer, nonce?: Buffer): Promise<TimeStamp> {
  const token = grantedToken(reply)
  try {
    const { info, content, signer, signedBy } = parseToken(token)
    const { certificate, der } = signedBy
    assertImprint(info, sha256)
    if (nonce !== undefined && !(info.nonce && bytesOf(info.nonce).equals(nonce)))
      throw new Error('it does not repeat the nonce')
    assertAttributes(signer, content, der)
    assertForTimeStamps(certificate, info.genTime)
    if (!(await isSignedBy(signer, certificate))) throw new Error('its signature is not valid')
    return {
      at: info.genTime.toISOString(),
      authority: nameOf(der),
      policy: info.policy,
      serialNumber: bytesOf(info.serialNumber).toString('hex'),
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new TimeStampProblem('INVALID', `The time stamp is not valid: ${reason}`, { cause })
  }
}

/** The token of a reply, as DER. Throws TimeStampProblem. */
export function timeStampToken(reply: Buffer): Buffer {
  return Buffer.from(grantedToken(reply).toSchema().toBER(false))
}

function grantedToken(reply: Buffer): ContentInfo {
  let response: TimeStampResp
  try {
    response = TimeStampResp.fromBER(reply)
  } catch (cause) {
    throw new TimeStampProblem('INVALID', 'The reply is not a time stamp', { cause })
  }
  const { status, statusStrings } = response.status
  if (status !== PKIStatus.granted && status !== PKIStatus.grantedWithMods) {
    const texts = statusStrings?.map(text => text.valueBlock.value).join(' ') ?? ''
    throw new TimeStampProblem(
      'REFUSED',
      `The authority refused with status ${status} ${texts}`.trim().slice(0, 300),
    )
  }
  if (!response.timeStampToken) throw new TimeStampProblem('INVALID', 'The reply has no time stamp')
  return response.timeStampToken
}

/** A certificate and its bytes as they were received: encoding it again may change them. */
type Received = { certificate: Certificate; der: Buffer }
type Token = { info: TSTInfo; content: Buffer; signer: SignerInfo; signedBy: Received }

function parseToken(token: ContentInfo): Token {
  if (token.contentType !== oids.signedData) throw new Error('it is not signed data')
  const signed = new SignedData({ schema: token.content })
  const { eContent, eContentType } = signed.encapContentInfo
  if (eContentType !== oids.timeStampInfo || !eContent) throw new Error('it contains no time')
  const content = Buffer.from(eContent.getValue())
  const [signer, ...others] = signed.signerInfos
  if (!signer || others.length > 0) throw new Error('it has not exactly one signature')
  const signedBy = certificatesOf(token.content).find(({ certificate }) => isOf(signer, certificate))
  if (!signedBy) throw new Error('it does not contain the certificate of its signature')
  return { info: TSTInfo.fromBER(content), content, signer, signedBy }
}

/** The certificates of signed data: the elements of its field `[0]`. */
function certificatesOf(signedData: Sequence): Received[] {
  const isField = ({ idBlock }: BaseBlock) => idBlock.tagClass === 3 && idBlock.tagNumber === 0
  const field = signedData.valueBlock.value.find(isField) as Constructed | undefined
  return (field?.valueBlock.value ?? []).flatMap(({ idBlock, valueBeforeDecodeView }) => {
    const der = Buffer.from(valueBeforeDecodeView)
    // other kinds of certificates are tagged
    return idBlock.tagClass === 1 ? [{ der, certificate: Certificate.fromBER(der) }] : []
  })
}

/** Whether a signature names this certificate, by issuer and number; RFC 3161 knows no other way to name it. */
function isOf({ sid }: SignerInfo, { issuer, serialNumber }: Certificate): boolean {
  return (
    sid instanceof IssuerAndSerialNumber &&
    issuer.isEqual(sid.issuer) &&
    serialNumber.isEqual(sid.serialNumber)
  )
}

function assertImprint({ messageImprint }: TSTInfo, sha256: Buffer): void {
  const { hashAlgorithm, hashedMessage } = messageImprint
  const isSame = Buffer.from(hashedMessage.getValue()).equals(sha256)
  if (hashAlgorithm.algorithmId !== oids.sha256 || !isSame) throw new Error('it covers other content')
}

/** The signed attributes must name the content, its digest and the certificate. */
function assertAttributes(
  { signedAttrs, digestAlgorithm }: SignerInfo,
  content: Buffer,
  certificate: Buffer,
): void {
  const attribute = (type: string) => signedAttrs?.attributes.find(one => one.type === type)?.values[0]
  if (attribute(oids.contentType)?.valueBlock.toString() !== oids.timeStampInfo)
    throw new Error('its signature is for another kind of content')
  const stated = attribute(oids.messageDigest)
  const actual = digestOf(digestAlgorithm.algorithmId, content)
  if (!(stated instanceof OctetString) || !Buffer.from(stated.getValue()).equals(actual))
    throw new Error('its content is not the signed content')
  const version2 = attribute(oids.signingCertificateV2)
  const reference = version2 ?? attribute(oids.signingCertificate)
  if (!reference || !isReferenceTo(certificate, reference as Sequence, version2 ? oids.sha256 : oids.sha1))
    throw new Error('its signature is bound to another certificate')
}

/** Whether SigningCertificate or SigningCertificateV2 (RFC 5035) names a certificate first. */
function isReferenceTo(certificate: Buffer, reference: Sequence, defaultDigest: string): boolean {
  const [list] = reference.valueBlock.value as [Sequence]
  const [first] = list.valueBlock.value as [Sequence]
  const fields = first.valueBlock.value
  const at = fields.findIndex(field => field instanceof OctetString)
  const algorithm = at === 0 ? defaultDigest : new AlgorithmIdentifier({ schema: fields[0] }).algorithmId
  const stated = Buffer.from((fields[at] as OctetString).getValue())
  return stated.equals(digestOf(algorithm, certificate))
}

function assertForTimeStamps(certificate: Certificate, at: Date): void {
  const usage = certificate.extensions?.find(({ extnID }) => extnID === oids.extendedKeyUsage)
  const purposes = (usage?.parsedValue as ExtKeyUsage | undefined)?.keyPurposes ?? []
  if (!purposes.includes(oids.timeStamping)) throw new Error('its certificate is not one for time stamps')
  const { notBefore, notAfter } = certificate
  if (at < notBefore.value || at > notAfter.value)
    throw new Error('its certificate was not valid at that time')
}

function isSignedBy(signer: SignerInfo, certificate: Certificate): Promise<boolean> {
  const { signedAttrs, signature, signatureAlgorithm, digestAlgorithm } = signer
  // RSA with PKCS #1 v1.5 may name the digest apart
  const isPlainRsa = signatureAlgorithm.algorithmId === oids.rsaEncryption
  return getCrypto(true).verifyWithPublicKey(
    signedAttrs!.encodedValue,
    signature,
    certificate.subjectPublicKeyInfo,
    signatureAlgorithm,
    isPlainRsa ? digestNames[digestAlgorithm.algorithmId]?.replace('sha', 'SHA-') : undefined,
  )
}

function digestOf(algorithm: string, bytes: Buffer): Buffer {
  const name = digestNames[algorithm]
  if (name === undefined) throw new Error(`the digest ${algorithm} is unknown`)
  return createHash(name).update(bytes).digest()
}

/** `CN=…, O=…`, with all parts of the subject. */
function nameOf(certificate: Buffer): string {
  return new X509Certificate(certificate).subject.split('\n').reverse().join(', ').slice(0, 300)
}

/** The content of an integer without leading zeros. */
function bytesOf(integer: Integer): Buffer {
  const bytes = Buffer.from(integer.valueBlock.valueHexView)
  return bytes[0] === 0 && bytes.length > 1 ? bytes.subarray(1) : bytes
}

function exactly(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
