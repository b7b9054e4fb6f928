import type { Provenance } from '#contract/marketplace/provenance.ts'

/** Whether a statement is what this server signed; `unchecked`: this browser cannot tell. */
export type Verdict = 'valid' | 'changed' | 'unknownKey' | 'unchecked'

/** A value as canonical JSON (RFC 8785). Statements have texts, whole numbers, lists and objects. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value)
    // by UTF-16 code units, which is how JavaScript compares texts
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`)
  return `{${fields.join(',')}}`
}

/** Checks the signature of a statement with the keys that the server publishes (PRV-4, PRV-5). */
export async function verdictOf(
  { statement, signature, keyId }: Provenance,
  keys: readonly { kid: string; x: string }[],
  subtle: SubtleCrypto | undefined,
): Promise<Verdict> {
  const published = keys.find(({ kid }) => kid === keyId)
  if (!published) return 'unknownKey'
  if (!subtle) return 'unchecked'
  try {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: published.x }
    const key = await subtle.importKey('jwk', jwk, 'Ed25519', false, ['verify'])
    const text = new TextEncoder().encode(canonicalJson(statement))
    return (await subtle.verify('Ed25519', key, bytesOf(signature), text)) ? 'valid' : 'changed'
  } catch {
    // browsers without Ed25519
    return 'unchecked'
  }
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, letter => letter.charCodeAt(0))
}
