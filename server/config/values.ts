import { isIP } from 'node:net'
import { join } from 'node:path'
import type { S3Access } from '../platform/adapters/files.ts'
import { isNetwork } from '../platform/adapters/http-client/addresses.ts'

/** An invalid setting; the message says what to set. */
export class ConfigError extends Error {}

const loopback = ['127.0.0.1', 'localhost', '::1', '[::1]']

/** True if only this machine can reach the host. */
export function isLoopback(host: string): boolean {
  return loopback.includes(host)
}

export function integer(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  minimum: number,
  maximum: number,
): number {
  const text = env[name]?.trim()
  if (!text) return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    throw new ConfigError(`${name}=${text} must be a whole number from ${minimum} to ${maximum}.`)
  }
  return value
}

export function flag(env: NodeJS.ProcessEnv, name: string, fallback: boolean): boolean {
  const text = env[name]?.trim()
  if (!text) return fallback
  if (!['0', '1', 'true', 'false'].includes(text)) throw new ConfigError(`${name}=${text} must be 0 or 1.`)
  return text === '1' || text === 'true'
}

export function oneOf(env: NodeJS.ProcessEnv, name: string, fallback: string, words: string[]): string {
  const text = env[name]?.trim() || fallback
  if (!words.includes(text)) throw new ConfigError(`${name}=${text} must be one of ${words.join(', ')}.`)
  return text
}

/** Where workers show their metrics; undefined without METRICS_PORT. */
export function readMetrics(
  env: NodeJS.ProcessEnv,
  apiPort: number,
): { host: string; port: number } | undefined {
  const host = env.METRICS_HOST?.trim()
  if (!env.METRICS_PORT?.trim()) {
    if (host) throw new ConfigError('METRICS_HOST needs METRICS_PORT.')
    return undefined
  }
  const port = integer(env, 'METRICS_PORT', 0, 0, 65_535)
  if (port !== 0 && port === apiPort) throw new ConfigError(`METRICS_PORT=${port} is the PORT of the API.`)
  return { host: host || '127.0.0.1', port }
}

/**
 * The public URL. Without PUBLIC_URL, only this machine can use the server: any other address must be
 * configured.
 */
export function readPublicUrl(text: string | undefined, host: string, port: number): string {
  if (text === undefined) {
    if (isLoopback(host)) return `http://localhost:${port}`
    throw new ConfigError(
      `HOST=${host} can be reached from other machines: set PUBLIC_URL to the address that people use.`,
    )
  }
  const url = URL.parse(text)
  const isOrigin = url && /^https?:$/.test(url.protocol) && url.hostname && `${url.origin}/` === url.href
  if (!isOrigin) throw new ConfigError('PUBLIC_URL must be like https://patio.example.com, without a path.')
  return url.origin
}

/** Messages never repeat the value, because it contains a password. */
export function readDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || /^postgres(ql)?:\/\/./.test(text)) return text
  throw new ConfigError('DATABASE_URL must be like postgres://user:password@host:5432/database.')
}

export function readFilesUrl(text: string | undefined, dataDir: string): string {
  return text === undefined ? `file:${join(dataDir, 'files')}` : readStoreUrl('FILES_URL', text)
}

/** The URL of a folder or of a bucket. */
export function readStoreUrl(name: string, text: string): string {
  if (!/^(file:|s3:\/\/)./.test(text))
    throw new ConfigError(`${name}=${text} must begin with file: or s3://.`)
  if (text.startsWith('s3:') && !/^s3:\/\/[a-z0-9][a-z0-9.-]+(\/[\w.-]+)*\/?$/.test(text))
    throw new ConfigError(`${name}=${text} must be like s3://bucket or s3://bucket/folder.`)
  return text
}

type S3 = {
  endpoint: string | undefined
  region: string | undefined
  accessKeyId: string | undefined
  secretAccessKey: string | undefined
}

/** The credentials of the buckets among `urls`. The AWS keys alone may be in the environment for something else. */
export function readS3(
  urls: readonly string[],
  { endpoint, region, accessKeyId, secretAccessKey }: S3,
): S3Access | undefined {
  const bucket = urls.find(url => url.startsWith('s3:'))
  if (bucket === undefined) {
    if (endpoint || region)
      throw new ConfigError('S3_ENDPOINT and S3_REGION need a bucket: FILES_URL or BACKUP_TO=s3://bucket.')
    return undefined
  }
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError(`${bucket} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`)
  if (!region && !endpoint)
    throw new ConfigError(`${bucket} needs S3_REGION, or S3_ENDPOINT for your own server.`)
  const address = endpoint === undefined ? undefined : URL.parse(endpoint)
  if (address === null || (address && !/^https?:$/.test(address.protocol)) || address?.username)
    throw new ConfigError('S3_ENDPOINT must be like https://s3.example.com.')
  return { endpoint: address?.href, region: region ?? 'us-east-1', accessKeyId, secretAccessKey }
}

export function readMail(smtpUrl: string | undefined, from: string | undefined) {
  if (smtpUrl !== undefined && !/^smtps?:\/\/./.test(smtpUrl)) {
    throw new ConfigError('SMTP_URL must be like smtp://user:password@host:587.')
  }
  if (smtpUrl !== undefined && from === undefined) {
    throw new ConfigError('With SMTP_URL, set MAIL_FROM too: the sender of the mails, `Name <address>`.')
  }
  return { smtpUrl, mailFrom: from ?? 'Patio <patio@localhost>' }
}

/** Addresses and networks. A bare `true` is refused, because it would let every client choose its address. */
export function readProxies(text: string | undefined): string | false {
  if (text === undefined) return false
  for (const part of text.split(',').map(part => part.trim())) {
    const [address = '', bits] = part.split('/')
    const most = isIP(address) === 4 ? 32 : 128
    const isNetwork =
      isIP(address) !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
    if (!isNetwork && !['loopback', 'linklocal', 'uniquelocal'].includes(part)) {
      throw new ConfigError(
        `TRUST_PROXY must contain addresses or networks, such as 10.0.0.0/8; ${part} is not one.`,
      )
    }
  }
  return text
}

/** Private networks. The demo sends to this machine. */
export function readNetworks(text: string | undefined, demo: boolean): string[] {
  const given = text?.split(',').map(part => part.trim()) ?? []
  const wrong = given.find(part => !isNetwork(part))
  if (wrong !== undefined)
    throw new ConfigError(`WEBHOOK_NETWORKS must contain networks, such as 10.0.0.0/8; ${wrong} is not one.`)
  return demo ? [...given, '127.0.0.0/8', '::1/128'] : given
}

export function readHeaderPrefix(text = 'X-Service-'): string {
  if (!/^X-[A-Za-z0-9]{1,32}-$/.test(text)) throw new ConfigError('VENDOR_PREFIX must be like X-Service-.')
  return text
}

/** Secret keys are sent there: without TLS, only this machine is allowed. */
export function readStripe(text: string | undefined): { stripe?: { url: string } } {
  if (text === undefined) return {}
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback(url.hostname)))
    throw new ConfigError(`STRIPE_URL=${text} must be an https address.`)
  return { stripe: { url: url.origin } }
}

/** Many authorities have http addresses only: what they answer is signed. */
export function readTimeStampUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new ConfigError('TIME_STAMP_URL must be like https://tsa.example.com/tsr.')
  return url.href
}

/** Issuers whose users belong to any company: nobody vouches for the addresses of all of them. */
const sharedIssuer =
  /^https:\/\/(accounts\.google\.com|login\.microsoftonline\.com\/(common|organizations|consumers))\b/

export function readOidc(env: NodeJS.ProcessEnv) {
  const [issuer, clientId, clientSecret, name] = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'NAME'].map(
    part => env[`OIDC_${part}`]?.trim() || undefined,
  )
  const isEmailTrusted = flag(env, 'OIDC_EMAIL_TRUSTED', false)
  if (!issuer && !clientId && !clientSecret && !name) return undefined
  if (!issuer || !clientId || !clientSecret) {
    throw new ConfigError('OpenID Connect needs all of OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.')
  }
  const url = URL.parse(issuer)
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new ConfigError(`OIDC_ISSUER=${issuer} must be an https address.`)
  }
  if (isEmailTrusted && sharedIssuer.test(issuer))
    throw new ConfigError('OIDC_EMAIL_TRUSTED needs an issuer for one company: the one with its tenant id.')
  return { name: name ?? 'Single sign-on', issuer, clientId, clientSecret, isEmailTrusted }
}
