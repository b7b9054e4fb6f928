import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto'

/** Signs what leaves for good, so that anybody can verify it later without asking us. */
export type Signer = {
  /** The raw Ed25519 public key, base64url. */
  readonly publicKey: string
  /** Names the key: its JWK thumbprint (RFC 7638, SHA-256), base64url. */
  readonly keyId: string
  /** The Ed25519 signature of a text in UTF-8, base64url. Equal texts get equal signatures. */
  sign(text: string): string
}

/** The signer of a secret. Every process that has the secret has the same key pair. */
export function openSigner(secret: string): Signer {
  const seed = Buffer.from(hkdfSync('sha256', secret, 'patio', 'signing key 1', 32))
  const key = createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'jwk' }).x!
  return {
    publicKey,
    keyId: keyIdOf(publicKey),
    sign: text => sign(null, Buffer.from(text), key).toString('base64url'),
  }
}

/** What stands before the 32 bytes of a private Ed25519 key in PKCS #8. RFC 8410. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The name of a public key. RFC 8037, A.3. */
export function keyIdOf(publicKey: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x: publicKey }))
    .digest('base64url')
}

/** True when the signature is that of the text by this key. False also for what is no key or no signature. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}
