import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './values.ts'

/** One key of a key ring: the first key signs, all of them verify. */
export type RingKey = { kid: string; secret: string }
/** The secret of sign-in sessions and the key ring of session tokens. */
export type Secrets = {
  signInSecret: string
  sessionKeys: RingKey[]
  /** From a restored backup of a server that had them in its settings. */
  formerSecrets?: string[]
  provenanceKey?: string | null
}

/** Reads secrets from the environment, or generates them on the first start and stores them in `dataDir`. */
export function readSecrets(
  signIn: string | undefined,
  keys: string | undefined,
  dataDir: string | undefined,
  { mayGenerate }: { mayGenerate: boolean },
): Secrets {
  if (signIn !== undefined && signIn.length < 32)
    throw new ConfigError('SIGN_IN_SECRET must have 32 characters or more.')
  const ring = keys === undefined ? undefined : parseRing(keys)
  if (signIn !== undefined && ring !== undefined) return { signInSecret: signIn, sessionKeys: ring }
  if (dataDir === undefined) {
    throw new ConfigError(
      'With DATABASE_URL, set SIGN_IN_SECRET and SESSION_KEYS too: every node needs the same values.',
    )
  }
  const stored: Secrets = mayGenerate ? storedSecrets(dataDir) : { signInSecret: '', sessionKeys: [] }
  return { ...stored, signInSecret: signIn ?? stored.signInSecret, sessionKeys: ring ?? stored.sessionKeys }
}

/** The former sign-in secrets, latest first. */
export function readFormerSecrets(text: string | undefined, stored: string[] = []): string[] {
  const secrets = text?.split(',').map(secret => secret.trim()) ?? stored
  if (secrets.some(({ length }) => length < 32))
    throw new ConfigError('FORMER_SECRETS must be comma separated, each of 32 characters or more.')
  return secrets
}

/** The secret of the key pair for provenance statements, if it is set. */
export function readProvenanceKey(key: string | undefined): string | undefined {
  if (key !== undefined && key.length < 32)
    throw new ConfigError('PROVENANCE_KEY must have 32 characters or more.')
  return key
}

function parseRing(text: string): RingKey[] {
  const ring = text.split(',').map(part => {
    const [kid = '', ...rest] = part.trim().split(':')
    const secret = rest.join(':')
    if (!/^[\w.-]{1,32}$/.test(kid) || secret.length < 32) {
      throw new ConfigError(
        'SESSION_KEYS must be `kid:secret`, comma separated, each secret of 32 characters or more.',
      )
    }
    return { kid, secret }
  })
  if (new Set(ring.map(({ kid }) => kid)).size < ring.length)
    throw new ConfigError('SESSION_KEYS contains a kid twice.')
  return ring
}

function storedSecrets(dataDir: string): Secrets {
  const path = join(dataDir, 'secrets.json')
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true })
    const generated = {
      signInSecret: randomBytes(32).toString('base64url'),
      sessionKeys: [{ kid: 'k1', secret: randomBytes(32).toString('base64url') }],
    }
    // synced first, because data sealed with these secrets is lost without them
    writeFileSync(`${path}.new`, JSON.stringify(generated, null, 2), { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  }
  return JSON.parse(readFileSync(path, 'utf8'))
}
