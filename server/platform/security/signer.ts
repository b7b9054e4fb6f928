import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto'
import { required } from '../required.ts'

/** Signs documents that anybody can verify later without asking this server. */
export type Signer = {
  /** The raw Ed25519 public key, base64url. */
  readonly publicKey: string
  /** The key id: its JWK thumbprint (RFC 7638, SHA-256), base64url. */
  readonly keyId: string
  /** The Ed25519 signature of a text in UTF-8, base64url. Equal texts get equal signatures. */
  sign(text: string): string
}

/** The signer of a secret. All processes with the secret have the same key pair. */
export function openSigner(secret: string): Signer {
  const seed = Buffer.from(hkdfSync('sha256', secret, 'patio', 'signing key 1', 32))
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = required(createPublicKey(key).export({ format: 'jwk' }).x, 'the x of a public key')
  return {
    publicKey,
    keyId: keyIdOf(publicKey),
    sign: text => sign(null, Buffer.from(text), key).toString('base64url'),
  }
}

/** The PKCS #8 header before the 32 bytes of an Ed25519 private key. RFC 8410. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The key id of a public key. RFC 8037, A.3. */
export function keyIdOf(publicKey: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x: publicKey }))
    .digest('base64url')
}

/** True if the signature matches the text and the key. False for malformed keys and signatures. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}
