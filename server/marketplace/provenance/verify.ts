import { createHash } from 'node:crypto'
import type { Provenance, ProvenanceStatement } from '#contract/marketplace/provenance.ts'
import { isSignedBy, keyIdOf } from '#platform/security/signer.ts'
import { interpret, type openExported, unpacked } from '#server/studio/index.ts'
import { canonicalJson, releaseDigest } from '../entries/digest.ts'
import { readProvenance } from './package-companion.ts'
import { digestsOf, type ReleaseTexts } from './statement.ts'

type Archive = Awaited<ReturnType<typeof openExported>>
/** A key that somebody vouches for: its public half, or the name of it. */
export type KnownKey = { publicKey?: string; keyId: string }
/** One thing that was looked at. Without `holds` it is only told. */
export type VerifyFinding = { holds?: boolean; text: string }

/** What holds of a signed statement by itself: the signature, and whether its key is one of the known ones. */
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
        : 'The signature is not that of this statement: it was changed, or never signed.',
    },
  ]
  if (known.length === 0)
    findings.push({
      holds: false,
      text: `Nobody vouches for that key, which came with the file. Give the server's own with --key.`,
    })
  else
    findings.push({
      holds: isKnown,
      text: isKnown
        ? 'The key is the one that was given.'
        : `The key is not the one that was given, but ${keyId}.`,
    })
  return findings
}

/** What a statement says, for people. */
export function describeStatement({ statement }: Provenance): VerifyFinding[] {
  const { publisher, name, type, version } = statement
  const who = `${publisher.displayName} (${publisher.verified ? 'a verified name' : 'not verified'})`
  return [
    { text: `${type} "${name}" ${version}, published by ${who}` },
    { text: `submitted ${statement.submittedAt}, approved ${statement.approvedAt}` },
  ]
}

/** The statement in the package of an installed copy; undefined when there is none. Throws Flaw. */
export async function provenanceIn(archive: Archive): Promise<Provenance | undefined> {
  const entry = statementEntry(archive)
  if (!entry || entry.size > mostStatementBytes) return undefined
  return readProvenance((await contentOf(archive, entry)).toString('utf8'))
}
/** Longer than a statement with as many files as a version can have, under the longest paths. */
const mostStatementBytes = 2 * 1_048_576

/** Beside the other files of the package, which may stand in one folder. */
function statementEntry({ entries }: Archive) {
  const [flat, wrapped] = [/^provenance\.json$/, /^[^/]+\/provenance\.json$/]
  return entries.find(({ path }) => flat.test(path)) ?? entries.find(({ path }) => wrapped.test(path))
}

/** Whether the files of a package are those of the release that the statement is about. Throws Flaw. */
export async function verifyContent(archive: Archive, { statement }: Provenance): Promise<VerifyFinding[]> {
  const { packaged, attached, errors } = await interpret(archive)
  if (!packaged)
    return [{ holds: false, text: `It cannot be understood: ${errors[0]?.message ?? 'no reason given'}` }]
  const files: ProvenanceStatement['files'] = []
  for (const { path, entry } of attached)
    files.push({ path, size: entry.size, sha256: await digestOf(archive, entry) })
  const { type, name, version } = statement
  const { description, bodyMarkdown, frontmatter } = packaged
  const digest = releaseDigest({ type, name, version, description, bodyMarkdown, frontmatter, files })
  const isSame = packaged.type === type && digest === statement.releaseDigest
  const notes: VerifyFinding[] = []
  if (packaged.name !== name) notes.push({ text: `It is called "${packaged.name}" here.` })
  if (packaged.version !== version) notes.push({ text: `It is version ${packaged.version} here.` })
  if (isSame) return [{ holds: true, text: 'Texts and files are those of the release.' }, ...notes]
  const differences = [...differingTexts(packaged, statement), ...differingFiles(files, statement.files)]
  if (packaged.type !== type) differences.push(`It is a ${packaged.type} here and was a ${type}.`)
  if (differences.length === 0) differences.push('Texts or files are not those of the release.')
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
  const content = await unpacked(archive, entry)
  return Buffer.isBuffer(content) ? content : Buffer.concat(await content.toArray())
}

async function digestOf(archive: Archive, entry: Entry): Promise<string> {
  const content = await unpacked(archive, entry)
  const hash = createHash('sha256')
  if (Buffer.isBuffer(content)) return hash.update(content).digest('hex')
  for await (const chunk of content) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
