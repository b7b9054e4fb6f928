import type { ReleaseFinding } from '#contract/marketplace/entries.ts'
import type { Language } from '../../words/words.ts'
import { findingMeanings } from './finding.words.ts'

/** A text of a release, or `file:` and the path of one of its files. */
export type ReleasePart = 'description' | 'body' | 'frontmatter' | 'notes' | `file:${string}`

/** A finding at its place. Without a part, it is about the release as a whole. */
export type PlacedFinding = ReleaseFinding & { id: string; part: ReleasePart | undefined }

// the server names texts without lines of their own at the beginning of the message
const named = /^The (front matter|parsed front matter|description|name|release notes), line (\d+): (.*)$/s
const partOfName: Readonly<Record<string, ReleasePart>> = {
  'front matter': 'frontmatter',
  'parsed front matter': 'frontmatter',
  description: 'description',
  'release notes': 'notes',
}

/** The findings with the part of the release that each is about, in the order of the server. */
export function placeFindings(findings: readonly ReleaseFinding[]): PlacedFinding[] {
  return findings.map((finding, at) => ({ ...finding, id: `${at + 1}`, ...placeOf(finding) }))
}

function placeOf({ path, line, message }: ReleaseFinding): Pick<PlacedFinding, 'part' | 'line' | 'message'> {
  if (path !== null) return { part: `file:${path}`, line, message }
  if (line !== null) return { part: 'body', line, message }
  const [, name = '', lineOfPart, rest] = named.exec(message) ?? []
  const part = partOfName[name]
  if (part === undefined || rest === undefined) return { part: undefined, line: null, message }
  // the parsed front matter has other lines than the written one
  return { part, line: name === 'parsed front matter' ? null : Number(lineOfPart), message: rest }
}

/** The title of a finding and what to do about it. */
export function meaningOf(
  { code, message }: Pick<ReleaseFinding, 'code' | 'message'>,
  language: Language,
): { title: string; advice: string } {
  const meaning = findingMeanings[code]
  if (!meaning) return { title: code, advice: message }
  return { title: meaning[language], advice: language === 'es' ? meaning.todo : message }
}

/** A place in words that can be quoted: “scripts/run.sh, line 14”. */
export function quotedPlace(
  { part, line }: Pick<PlacedFinding, 'part' | 'line'>,
  titleOf: (part: ReleasePart) => string,
  lineText: (line: number) => string,
): string | undefined {
  if (part === undefined) return undefined
  return line === null ? titleOf(part) : `${titleOf(part)}, ${lineText(line)}`
}
