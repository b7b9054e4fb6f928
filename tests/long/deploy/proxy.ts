import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
} from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { freePort } from '#platform/ports.ts'
import { certificate, certificateKey } from '#tests/support/certificate.ts'
import { defined } from '#tests/support/elements.ts'
import { dataFolder, until } from '#tests/support/processes.ts'

/** The name in the certificate of the tests. */
export const siteName = 'receiver.example.test'
/** The address of all clients, which is not that of the proxy. */
export const clientAddress = '127.0.0.2'

/** A reverse proxy with the configuration of `deploy/`, in front of processes on these ports. */
export type ReverseProxy = { readonly httpPort: number; readonly httpsPort: number; stop(): Promise<void> }
export type ProxyName = 'nginx' | 'caddy' | 'haproxy'

/** The argument with which each program shows its version. */
const versionArgument: Record<ProxyName, string> = { nginx: '-v', caddy: 'version', haproxy: '-v' }

/** Starts Debian's nginx, Caddy or HAProxy. Throws with the command that installs it if it is missing. */
export async function startProxy(name: ProxyName, apiPorts: [number, number]): Promise<ReverseProxy> {
  if (spawnSync(name, [versionArgument[name]]).error)
    throw new Error(`${name} is missing. Debian: apt-get install ${name}`)
  const folder = dataFolder()
  const certificateFile = join(folder, 'certificate.pem')
  const keyFile = join(folder, 'key.pem')
  writeFileSync(certificateFile, certificate)
  writeFileSync(keyFile, certificateKey, { mode: 0o600 })
  const ports = { httpPort: await freePort('127.0.0.1'), httpsPort: await freePort('127.0.0.1') }
  const place = { folder, certificateFile, keyFile, apiPorts, ...ports }
  const child = { nginx: startNginx, caddy: startCaddy, haproxy: startHaproxy }[name](place)
  const log: Buffer[] = []
  defined(child.stderr).on('data', piece => log.push(piece))
  await until(`${name} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended:\n${Buffer.concat(log)}`)
    return fetch(`http://127.0.0.1:${ports.httpPort}/healthz`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
  })
  return {
    ...ports,
    async stop() {
      if (child.exitCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

type Place = {
  folder: string
  certificateFile: string
  keyFile: string
  apiPorts: [number, number]
  httpPort: number
  httpsPort: number
}

function startNginx(place: Place): ChildProcess {
  const { folder, apiPorts, httpPort, httpsPort } = place
  const site = replaced(readFileSync(join(import.meta.dirname, '../../../deploy/nginx/patio.conf'), 'utf8'), [
    ['127.0.0.1:4000', `127.0.0.1:${apiPorts[0]}`],
    ['127.0.0.1:4001', `127.0.0.1:${apiPorts[1]}`],
    ['listen 80;', `listen 127.0.0.1:${httpPort};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${httpsPort} ssl http2;`],
    ['patio.example.com', siteName],
    ['/etc/ssl/patio/fullchain.pem', place.certificateFile],
    ['/etc/ssl/patio/privkey.pem', place.keyFile],
    ['/var/log/nginx/patio.error.log', join(folder, 'error.log')],
  ])
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    kind => `${kind}_temp_path ${join(folder, kind)};`,
  )
  // root's workers would otherwise run as a user who may not enter the folder
  const user = process.geteuid?.() === 0 ? 'user root;\n' : ''
  // as Debian's nginx.conf, which compresses pages
  const main = `${user}daemon off;\npid ${join(folder, 'pid')};\nerror_log stderr;\nworker_processes 1;\nevents {}\nhttp {\ngzip on;\n${paths.join('\n')}\n${site}\n}\n`
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, main)
  mkdirSync(join(folder, 'logs'), { recursive: true })
  return spawn('nginx', ['-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
}

function startCaddy(place: Place): ChildProcess {
  const { folder, apiPorts, httpPort, httpsPort } = place
  const site = replaced(readFileSync(join(import.meta.dirname, '../../../deploy/caddy/Caddyfile'), 'utf8'), [
    [
      '{$PATIO_SITE} {',
      `{$PATIO_SITE} {\n\ttls ${place.certificateFile} ${place.keyFile}\n\tbind 127.0.0.1\n`,
    ],
  ])
  const main = `{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tskip_install_trust\n}\n${site}`
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, main)
  return spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PATIO_SITE: siteName,
      PATIO_UPSTREAMS: apiPorts.map(port => `127.0.0.1:${port}`).join(' '),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

function startHaproxy({ folder, apiPorts, httpPort, httpsPort }: Place): ChildProcess {
  const both = join(folder, 'certificate-and-key.pem')
  writeFileSync(both, `${certificate}\n${certificateKey}\n`, { mode: 0o600 })
  const site = replaced(
    readFileSync(join(import.meta.dirname, '../../../deploy/cluster/haproxy.cfg'), 'utf8'),
    [
      ['127.0.0.1:4000', `127.0.0.1:${apiPorts[0]}`],
      ['127.0.0.1:4001', `127.0.0.1:${apiPorts[1]}`],
      ['bind :80', `bind 127.0.0.1:${httpPort}`],
      ['bind :443', `bind 127.0.0.1:${httpsPort}`],
      ['/etc/haproxy/patio.pem', both],
      // only root can become another user
      ['  user haproxy\n  group haproxy\n', ''],
    ],
  )
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, site)
  return spawn('haproxy', ['-f', file], { stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Replaces each text everywhere, and fails if the configuration no longer contains it. */
function replaced(text: string, replacements: [from: string, to: string][]): string {
  return replacements.reduce((result, [from, to]) => {
    if (!result.includes(from)) throw new Error(`the configuration does not contain ${from}`)
    return result.replaceAll(from, to)
  }, text)
}

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }
type Request = { method?: string; path: string; headers?: Record<string, string>; body?: Uint8Array | string }

/** A browser's connection to the proxy: HTTP/2 over TLS. */
export type Browser = {
  ask(request: Request): Promise<Answer>
  /** Sends the head and leaves the body to the test. */
  open(request: Request): ClientHttp2Stream
  close(): void
}

/** Connects with HTTP/2 from `clientAddress`; fails if the proxy offers only HTTP/1. */
export async function openBrowser(httpsPort: number): Promise<Browser> {
  const connection = connectTcp({ host: '127.0.0.1', port: httpsPort, localAddress: clientAddress })
  const socket = connectTls({
    socket: connection,
    servername: siteName,
    ca: certificate,
    ALPNProtocols: ['h2'],
  })
  await once(socket, 'secureConnect')
  if (socket.alpnProtocol !== 'h2') throw new Error(`the proxy speaks ${socket.alpnProtocol}`)
  const session: ClientHttp2Session = connect(`https://${siteName}:${httpsPort}`, {
    createConnection: () => socket,
  })
  session.on('error', () => {})
  function open({ method = 'GET', path, headers = {} }: Request): ClientHttp2Stream {
    const stream = session.request(
      { ':method': method, ':path': path, ...headers },
      { endStream: method === 'GET' },
    )
    stream.on('error', () => {})
    return stream
  }
  return {
    open,
    async ask(request) {
      const stream = open(request)
      if (request.method !== undefined) stream.end(request.body)
      const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders]
      return { status: Number(headers[':status']), headers, body: await buffer(stream) }
    },
    close: () => session.destroy(),
  }
}
