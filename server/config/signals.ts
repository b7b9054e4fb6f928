import type { NatsServers } from '../platform/adapters/nats.ts'
import { ConfigError } from './values.ts'

const defaultPort = '4222'

/**
 * Reads the servers of a NATS cluster, which have the same credentials; undefined without SIGNALS_URL. Messages never repeat the
 * value, because it may contain a password.
 */
export function readSignals(text: string | undefined): { nats: NatsServers | undefined } {
  if (text === undefined) return { nats: undefined }
  const urls = text.split(',').map(part => readServer(part.trim()))
  const [{ protocol, username, password }] = urls as [URL]
  if (urls.some(url => url.protocol !== protocol || url.username !== username || url.password !== password))
    throw new ConfigError('The addresses in SIGNALS_URL must have the same scheme, user and password.')
  return {
    nats: {
      servers: urls.map(({ hostname, port }) => `${hostname}:${port || defaultPort}`),
      isTls: protocol === 'tls:',
      user: decoded(username),
      password: decoded(password),
    },
  }
}

function readServer(text: string): URL {
  const url = URL.parse(text)
  const isServer = url && /^(nats|tls):$/.test(url.protocol) && url.hostname && /^\/?$/.test(url.pathname)
  if (!isServer || url.search || url.hash || !url.username !== !url.password)
    throw new ConfigError(
      'SIGNALS_URL must be like nats://host:4222 or tls://user:password@host:4222. Several servers of one cluster are comma separated.',
    )
  return url
}

function decoded(text: string): string | undefined {
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ConfigError('User and password in SIGNALS_URL must be percent-encoded.')
  }
}
