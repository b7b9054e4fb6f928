import { createHash } from 'node:crypto'
import type { Provenance, ProvenanceStatement } from '#contract/marketplace/provenance.ts'
import { isSignedBy, keyIdOf } from '#platform/security/signer.ts'
import { interpretPackage, type openExported, unpackEntry } from '#server/studio/index.ts'
import { canonicalJson, releaseDigest } from '../entries/digest.ts'
import { readProvenance } from './package-companion.ts'
import { digestsOf, type ReleaseTexts } from './statement.ts'

type Archive = Awaited<ReturnType<typeof openExported>>
/** A trusted key: its public key or its id. */
export type KnownKey = { publicKey?: string; keyId: string }
/** A checked fact. Without `holds` it is information only. */
export type VerifyFinding = { holds?: boolean; text: string }

/** Checks the signature of a statement, and whether its key is trusted. */
export function verifySignature(provenance: Provenance, known: readonly KnownKey[]): VerifyFinding[] {
  const { statement, signature, publicKey } = provenance
  const keyId = keyIdOf(publicKey)
  const isSigned = isSignedBy(publicKey, canonicalJson(statement), signature)
  const isKnown = known.some(key => (key.publicKey ?? publicKey) === publicKey && key.keyId === keyId)
  const findings: VerifyFinding[] = [
    {
      holds: isSigned,
      text: isSigned
        ? `The statement is signed by the key ${keyId}.`
        : 'The signature does not match: the statement was changed, or never signed with this key.',
    },
  ]
  if (known.length === 0)
    findings.push({
      holds: false,
      text: `The key came with the file and is not trusted. Pass the key of the server with --key.`,
    })
  else
    findings.push({
      holds: isKnown,
      text: isKnown
        ? 'The key is the one that was given.'
        : `The key ${keyId} is not the one that was given.`,
    })
  return findings
}

/** Describes a statement in plain text. */
export function describeStatement({ statement }: Provenance): VerifyFinding[] {
  const { publisher, name, type, version } = statement
  const who = `${publisher.displayName} (${publisher.verified ? 'a verified name' : 'not verified'})`
  return [
    { text: `${type} "${name}" ${version}, published by ${who}` },
    { text: `submitted ${statement.submittedAt}, approved ${statement.approvedAt}` },
  ]
}

/** The statement in the package of an installed copy; undefined if there is none. Throws InvalidPackageError. */
export async function provenanceIn(archive: Archive): Promise<Provenance | undefined> {
  const entry = statementEntry(archive)
  if (!entry || entry.size > mostStatementBytes) return undefined
  return readProvenance((await contentOf(archive, entry)).toString('utf8'))
}
/** Larger than a statement with the most files and the longest paths. */
const mostStatementBytes = 2 * 1_048_576

/** Finds the statement at the top level, or in the single top-level folder. */
function statementEntry({ entries }: Archive) {
  const [flat, wrapped] = [/^provenance\.json$/, /^[^/]+\/provenance\.json$/]
  return entries.find(({ path }) => flat.test(path)) ?? entries.find(({ path }) => wrapped.test(path))
}

/** Compares the content of a package with the release of a statement. Throws InvalidPackageError. */
export async function verifyContent(archive: Archive, { statement }: Provenance): Promise<VerifyFinding[]> {
  const { packaged, attachments, errors } = await interpretPackage(archive)
  if (!packaged)
    return [{ holds: false, text: `The package cannot be read: ${errors[0]?.message ?? 'no reason given'}` }]
  const files: ProvenanceStatement['files'] = []
  for (const { path, entry } of attachments)
    files.push({ path, size: entry.size, sha256: await digestOf(archive, entry) })
  const { type, name, version } = statement
  const { description, bodyMarkdown, frontmatter } = packaged
  const digest = releaseDigest({ type, name, version, description, bodyMarkdown, frontmatter, files })
  const isSame = packaged.type === type && digest === statement.releaseDigest
  const notes: VerifyFinding[] = []
  if (packaged.name !== name) notes.push({ text: `The package is named "${packaged.name}".` })
  if (packaged.version !== version) notes.push({ text: `The package has version ${packaged.version}.` })
  if (isSame) return [{ holds: true, text: 'Texts and files are those of the release.' }, ...notes]
  const differences = [...differingTexts(packaged, statement), ...differingFiles(files, statement.files)]
  if (packaged.type !== type)
    differences.push(`The package is a ${packaged.type}, but the release is a ${type}.`)
  if (differences.length === 0) differences.push('Texts or files do not match the release.')
  return [...differences.map(text => ({ holds: false, text })), ...notes]
}

const partNames = {
  description: 'The description',
  bodyMarkdown: 'The body',
  frontmatter: 'The front matter',
}

function differingTexts(packaged: ReleaseTexts, { content }: ProvenanceStatement): string[] {
  const here = digestsOf(packaged)
  const parts = Object.keys(partNames) as (keyof typeof partNames)[]
  return parts.filter(part => here[part] !== content[part]).map(part => `${partNames[part]} was changed.`)
}

function differingFiles(here: ProvenanceStatement['files'], then: ProvenanceStatement['files']): string[] {
  const found = new Map(here.map(file => [file.path, file.sha256]))
  const stated = new Map(then.map(file => [file.path, file.sha256]))
  const quoted = (path: string) => JSON.stringify(path)
  return [
    ...[...stated.keys()]
      .filter(path => !found.has(path))
      .map(path => `The file ${quoted(path)} is missing.`),
    ...[...found]
      .filter(([path, sha256]) => stated.has(path) && stated.get(path) !== sha256)
      .map(([path]) => `The file ${quoted(path)} was changed.`),
    ...[...found.keys()].filter(path => !stated.has(path)).map(path => `The file ${quoted(path)} was added.`),
  ]
}

type Entry = Archive['entries'][number]

async function contentOf(archive: Archive, entry: Entry): Promise<Buffer> {
  const content = await unpackEntry(archive, entry)
  return Buffer.isBuffer(content) ? content : Buffer.concat(await content.toArray())
}

async function digestOf(archive: Archive, entry: Entry): Promise<string> {
  const content = await unpackEntry(archive, entry)
  const hash = createHash('sha256')
  if (Buffer.isBuffer(content)) return hash.update(content).digest('hex')
  for await (const chunk of content) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
