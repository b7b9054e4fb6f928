import type { ReleaseFinding } from '#contract/marketplace/entries.ts'
import type { AssetType } from '#contract/studio/assets.ts'
import { openConcurrencyLimit } from '#platform/events/sse/concurrency-limit.ts'
import { required } from '#platform/required.ts'
import { inThread } from '#platform/threads.ts'
import {
  type FileFinding,
  findingOfBinary,
  findingOfLicense,
  findingsOfPath,
  isBinaryHead,
  type ScannedFile,
} from './file-rules.ts'
import { type FindingSeverity, matchesOf, type TextRule, toScannedText } from './finding.rules.ts'
import { FindingCollector } from './finding-collector.ts'
import { hiddenRules } from './hidden-text-rules.ts'
import { decodeText, type ReadObject, readHead } from './object-text.ts'
import { matchesIn, textRules } from './scan.ts'

/** The parts of a release that the checks read, before or after submission. */
export type ScannedRelease = {
  type: AssetType
  name: string
  description: string
  bodyMarkdown: string
  frontmatter: Record<string, unknown>
  /** The front matter as it was written, if it was submitted as text. */
  frontmatterText: string | null
  /** The release notes. */
  changelog: string | null
  files: readonly ScannedFile[]
}

/** Scanned bytes of each file and of all files together. */
export const scannedFileBytes = 1_048_576
export const scannedBytes = 33_554_432

/** Scans two releases at a time, to bound memory and CPU. */
const concurrencyLimit = openConcurrencyLimit(2)

/**
 * Runs the automatic checks on a release: secrets, suspicious instructions and unwanted files. The most severe findings
 * come first, up to `maxFindings`, with a last one if some were left out. `path` is null for the text of the asset; lines
 * count within the file or the body. No message repeats the matched text.
 *
 * Never throws because of content. A missing object is a finding; other failures of the file store are thrown.
 */
export function findingsOf(release: ScannedRelease, read: ReadObject): Promise<ReleaseFinding[]> {
  return concurrencyLimit(() => scan(release, read))
}

async function scan(release: ScannedRelease, read: ReadObject): Promise<ReleaseFinding[]> {
  const found = new FindingCollector()
  await scanOwnTexts(release, found)
  await scanPaths(release.files, found)
  await scanFiles(release.files, read, found)
  const license = findingOfLicense(release.type, release.frontmatter, release.files)
  if (license) found.note(license)
  return found.all()
}

/** True if a release with these findings can be submitted. */
export function isSubmittable(findings: readonly ReleaseFinding[]): boolean {
  return !findings.some(({ severity }) => severity === 'block')
}

async function scanOwnTexts(release: ScannedRelease, found: FindingCollector): Promise<void> {
  await scanText(release.bodyMarkdown, (rule, severity, line) => found.add(rule, severity, null, line))
  const reported = new Set<string>()
  const scanPart = (part: string, text: string | null, isRepetition = false) =>
    scanText(text ?? '', (rule, severity, line) => {
      if (isRepetition && reported.has(rule.code)) return
      reported.add(rule.code)
      found.add({ ...rule, message: `${part}, line ${line}: ${rule.message}` }, severity, null, null)
    })
  const { frontmatterText, frontmatter } = release
  const parsed = JSON.stringify(frontmatter, null, 2)
  await scanPart('The front matter', frontmatterText ?? parsed)
  // parsing reveals escaped text
  if (frontmatterText !== null) await scanPart('The parsed front matter', parsed, true)
  await scanPart('The name', release.name)
  await scanPart('The description', release.description)
  await scanPart('The release notes', release.changelog)
}

/** File names can contain hidden characters as well. */
async function scanPaths(files: readonly ScannedFile[], found: FindingCollector): Promise<void> {
  for (const file of files) for (const note of findingsOfPath(file)) found.note(note)
  const text = toScannedText(files.map(({ path }) => path).join('\n'))
  for (const rule of hiddenRules)
    for (const { severity, line } of matchesOf(rule, text))
      found.add(
        { ...rule, message: `In the file name: ${rule.message}` },
        severity,
        required(files[line - 1], 'the file of a finding').path,
        null,
      )
}

async function scanFiles(
  files: readonly ScannedFile[],
  read: ReadObject,
  found: FindingCollector,
): Promise<void> {
  let left = scannedBytes
  for (const [at, { path, size, sha256 }] of files.entries()) {
    if (left <= 0) {
      found.note(
        notScanned(
          path,
          `${files.length - at} files were not scanned, starting with this one. Read them yourself.`,
        ),
      )
      return
    }
    const bytes = await readHead(sha256, Math.min(left, scannedFileBytes), read)
    if (!bytes) {
      const message = 'The content of this file is missing. Upload it again.'
      found.note({ severity: 'warn', code: 'FILE_MISSING', path, message })
      continue
    }
    left -= bytes.length
    const text = decodeText(bytes)
    if (text === undefined || isBinaryHead(bytes)) {
      const note = findingOfBinary(path, bytes)
      if (note) found.note(note)
    }
    if (text === undefined) continue
    await scanText(text, (rule, severity, line) => found.add(rule, severity, path, line))
    if (size > bytes.length)
      found.note(
        notScanned(path, `Only the first ${bytes.length} bytes were scanned. Read the rest yourself.`),
      )
  }
}

function notScanned(path: string, message: string): FileFinding {
  return { severity: 'warn', code: 'NOT_LOOKED_AT', path, message }
}

type ReportMatch = (rule: TextRule, severity: FindingSeverity, line: number) => void

/** Longer texts take milliseconds to scan. */
const longText = 16_384

/** Applies all rules to a text; scans long texts in a worker thread. */
async function scanText(text: string, report: ReportMatch): Promise<void> {
  const matches =
    text.length <= longText
      ? matchesIn(text)
      : await inThread<typeof matchesIn>(new URL('./scan.ts', import.meta.url), 'matchesIn', text)
  for (const { rule, severity, line } of matches)
    report(required(textRules[rule], 'the rule of a finding'), severity, line)
}
