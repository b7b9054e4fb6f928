import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'

/** A time stamp authority on this machine: a small HTTP server in front of `openssl ts`. */
export type TimeStampServer = {
  readonly url: string
  /** The certificate of its root, in a file. */
  readonly rootFile: string
  /** The replies so far. */
  readonly replies: readonly Buffer[]
  /** Replaces what it does with a query; undefined for the usual reply. */
  answerWith(answer: Answer | undefined): void
  /** The reply of `openssl ts` to a query. REFUSING accepts other digests only. */
  reply(query: Buffer, kind?: 'GRANTING' | 'REFUSING'): Promise<Buffer>
  close(): void
}
type Answer = (query: Buffer, response: ServerResponse) => unknown

const configuration = `
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
[authority]
basicConstraints = CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[GRANTING]
serial = serial
signer_digest = sha256
default_policy = 1.3.6.1.4.1.99999.1
digests = sha256
ess_cert_id_alg = sha256
clock_precision_digits = 3
[REFUSING]
serial = serial
signer_digest = sha256
default_policy = 1.3.6.1.4.1.99999.1
digests = sha512
`

/** Runs openssl. Throws an error that says how to install it. */
export function openssl(cwd: string, args: readonly string[], input: string | Buffer = ''): string {
  try {
    return execFileSync('openssl', args, { cwd, input, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error('This test needs openssl: apt-get install openssl', { cause: error })
  }
}

/** Opens an authority with a new root certificate. */
export async function openTimeStampServer(): Promise<TimeStampServer> {
  const folder = mkdtempSync(join(tmpdir(), 'patio-time-stamps-'))
  writeFileSync(join(folder, 'ts.cnf'), configuration)
  writeFileSync(join(folder, 'serial'), '01')
  const run = (command: string) => openssl(folder, command.split(' '))
  run('genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out root.key')
  run('req -x509 -config ts.cnf -extensions root -key root.key -subj /CN=Test-root -days 30 -out root.pem')
  run('genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out authority.key')
  run('req -new -config ts.cnf -key authority.key -subj /O=Faro/CN=Test-stamps -out authority.csr')
  run(
    'x509 -req -in authority.csr -CA root.pem -CAkey root.key -CAcreateserial -days 30 -extfile ts.cnf -extensions authority -out authority.pem',
  )
  let answer: Answer | undefined
  let count = 0
  const replies: Buffer[] = []
  async function reply(query: Buffer, kind: 'GRANTING' | 'REFUSING' = 'GRANTING'): Promise<Buffer> {
    const name = `query${++count}`
    await writeFile(join(folder, name), query)
    const command = `ts -reply -config ts.cnf -section ${kind} -queryfile ${name} -inkey authority.key -signer authority.pem -out ${name}.tsr`
    await promisify(execFile)('openssl', command.split(' '), { cwd: folder })
    return readFile(join(folder, `${name}.tsr`))
  }
  const server = createServer(async (request, response) => {
    const query = await buffer(request)
    if (answer) return void answer(query, response)
    const bytes = await reply(query)
    replies.push(bytes)
    response.setHeader('content-type', 'application/timestamp-reply').end(bytes)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`,
    rootFile: join(folder, 'root.pem'),
    replies,
    reply,
    answerWith(given) {
      answer = given
    },
    close() {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
