import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestServer } from '../test-server.ts'
import { openssl } from './time-stamp-server.ts'

const configuration = `
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
[seal]
basicConstraints = CA:FALSE
keyUsage = critical,digitalSignature,nonRepudiation
`
type SealOptions = {
  key?: 'RSA' | 'EC'
  /** A negative number: expired. */
  days?: number
  /** The encryption that old programs write. */
  isOld?: boolean
}
let common: { bytes: Buffer; passphrase: string } | undefined

/** A PKCS#12 file of `CN=Faro-seal, O=Faro` with the passphrase `open sesame`. */
export function aSealCertificate(options?: SealOptions): { bytes: Buffer; passphrase: string } {
  if (options) return makeSealCertificate(options)
  common ??= makeSealCertificate({})
  return common
}

function makeSealCertificate({ key = 'RSA', days = 30, isOld = false }: SealOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'patio-seal-'))
  const passphrase = 'open sesame'
  const run = (command: string) => openssl(folder, command.split(' '))
  const newKey = {
    RSA: 'genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048',
    EC: 'genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256',
  }
  try {
    writeFileSync(join(folder, 'seal.cnf'), configuration)
    run(`${newKey.EC} -out root.key`)
    run(
      'req -x509 -config seal.cnf -extensions root -key root.key -subj /CN=Seal-root -days 30 -out root.pem',
    )
    run(`${newKey[key]} -out seal.key`)
    run('req -new -config seal.cnf -key seal.key -subj /O=Faro/CN=Faro-seal -out seal.csr')
    run(
      `x509 -req -in seal.csr -CA root.pem -CAkey root.key -CAcreateserial -days ${days} -extfile seal.cnf -extensions seal -out seal.pem`,
    )
    const certificates = ['seal.pem', 'root.pem'].map(name => readFileSync(join(folder, name), 'utf8'))
    writeFileSync(join(folder, 'all.pem'), certificates.join(''))
    const old = isOld ? ['-legacy'] : []
    const secret = ['-passout', `pass:${passphrase}`, '-out', 'seal.p12']
    openssl(folder, ['pkcs12', '-export', '-inkey', 'seal.key', '-in', 'all.pem', ...old, ...secret])
    return { bytes: readFileSync(join(folder, 'seal.p12')), passphrase }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The form that uploads a certificate. */
export function sealForm({ bytes, passphrase } = aSealCertificate()): FormData {
  const form = new FormData()
  form.set('passphrase', passphrase)
  form.set('file', new Blob([new Uint8Array(bytes)]), 'seal.p12')
  return form
}

/** Makes the signed PDF of a signature its sealed document, without a worker. */
export async function plantSeal(server: TestServer, signatureId: string): Promise<void> {
  await server.sql(
    `insert into budget_seal (organization_id, budget_id, signature_id, sha256, sealed_at, subject, has_time_stamp)
     select s.organization_id, s.budget_id, s.id, s.document_hash, now(), 'CN=Faro-seal', false
     from budget_signature s where s.id = $1
     on conflict (organization_id, budget_id) do update set sha256 = excluded.sha256, sealed_at = now()`,
    [signatureId],
  )
}

/** The report of pdfsig about the signatures of a PDF. Throws an error that says how to install it. */
export function pdfsig(pdf: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'patio-pdfsig-'))
  try {
    writeFileSync(join(folder, 'sealed.pdf'), pdf)
    // -nocert: whether to trust the certificate is not the question
    return execFileSync('pdfsig', ['-nocert', 'sealed.pdf'], { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error('This test needs pdfsig: apt-get install poppler-utils', { cause: error })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
