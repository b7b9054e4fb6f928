import type { Document, LineCounter, Node, Scalar } from 'yaml'
import { limits } from '#contract/limits.ts'
import { isExactNumber } from '#platform/http/input.ts'
import { type InvalidPackageError, quoteStart, rejectPackage } from '../package-errors.ts'
import { importedBounds } from './frontmatter-bounds.ts'
import { yaml } from './yaml.ts'

/** Front matter as JSON. */
export type ParsedFrontmatter = {
  value: Record<string, unknown>
  /** The text that was understood: the given one, or with quotes put around values that need them. */
  text: string
  /** The lines that were given quotes, counted from 1. */
  repaired: readonly number[]
  /** In block style throughout: what the strictest readers accept. */
  isBlock: boolean
}

/**
 * Larger front matter is refused: it is read in one go, during which this process does nothing else, and that takes time
 * for each of its tokens.
 */
export const { characters: mostYaml, tokens: mostTokens } = importedBounds
const maxRepairRounds = 3
/** One level less than a body: the front matter is a field of it. */
const maxDepth = limits.jsonDepth - 1

/**
 * Reads front matter by the core schema of YAML 1.2. Numbers that JSON would spell otherwise, and what it cannot hold,
 * are kept as their text. Nothing in it is ever run, and nothing can refer to anything: anchors, aliases, tags, merge
 * keys and directives are refused, as are keys that appear twice. A value with a colon that lacks quotes is given them.
 * Throws Flaw.
 */
export function readYaml(text: string, path: string): ParsedFrontmatter {
  const repaired: number[] = []
  let current = text
  for (let round = 1; ; round++) {
    const isBlock = checkTokens(current, path)
    const lineCounter = new (yaml().LineCounter)()
    const read = parse(current, path, lineCounter)
    const [error] = read.errors
    if (!error) return { value: rootOf(read, path), text: current, repaired, isBlock }
    const lines = [...new Set(read.errors.map(({ pos }) => lineCounter.linePos(pos[0]).line))]
    const quoted = withQuotes(current, lines)
    if (quoted.repaired.length === 0 || round > maxRepairRounds)
      rejectPackage('frontmatter-invalid', path, `It is not YAML: ${error.message}`, lines[0]! + 1)
    repaired.push(...quoted.repaired)
    current = quoted.text
  }
}

/** The same, or undefined when it cannot be read. */
export function tryReadYaml(text: string): ParsedFrontmatter | undefined {
  try {
    return readYaml(text, '')
  } catch (error) {
    if (isInvalidPackage(error)) return undefined
    throw error
  }
}

function isInvalidPackage(error: unknown): error is InvalidPackageError {
  return error instanceof Error && 'findings' in error
}

/** Its nodes, to be edited: only of a text that was read before. Every value is as it is spelled. */
export function documentOf(text: string): Document.Parsed {
  return yaml().parseDocument(text, { ...options, schema: 'failsafe' })
}

/** What readers of YAML 1.1 make of a text that was read before: some words and numbers are others there. */
export function parseAsYaml11(text: string): unknown {
  return yaml()
    .parseDocument(text, { ...options, version: '1.1', schema: 'yaml-1.1' })
    .toJS()
}

const options = {
  version: '1.2',
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  // compared here, in linear time
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const

function parse(text: string, path: string, lineCounter: LineCounter): Document.Parsed {
  try {
    return yaml().parseDocument(text, { ...options, lineCounter })
  } catch (error) {
    if (error instanceof RangeError)
      return rejectPackage('frontmatter-too-deep', path, 'It is nested too deep.')
    throw error
  }
}

const forbiddenTokens: Record<string, [code: string, message: string]> = {
  anchor: ['frontmatter-anchor', 'Anchors are not taken.'],
  alias: ['frontmatter-anchor', 'Aliases are not taken.'],
  tag: ['frontmatter-tag', 'Tags are not taken.'],
  'directive-line': ['frontmatter-directive', 'Directives are not taken.'],
  'doc-start': ['frontmatter-documents', 'It must be one document.'],
  'doc-end': ['frontmatter-documents', 'It must be one document.'],
}

/** Refuses what is not taken before anything is made of it. Returns whether it is in block style. */
function checkTokens(text: string, path: string): boolean {
  if (text.length > mostYaml)
    rejectPackage('frontmatter-too-long', path, `It is longer than ${mostYaml} characters.`)
  let isBlock = true
  let isContent = false
  let line = 1
  let count = 0
  const { CST, Lexer } = yaml()
  for (const token of new Lexer().lex(text)) {
    if (++count > mostTokens) rejectPackage('frontmatter-too-long', path, 'It has too many parts.')
    if (isContent) isContent = false
    else if (token === CST.SCALAR) isContent = true
    else {
      const type = CST.tokenType(token) ?? ''
      const problem = forbiddenTokens[type]
      // the delimiter stands in front of the text
      if (problem) rejectPackage(problem[0], path, problem[1], line + 1)
      if (type === 'flow-map-start' || type === 'flow-seq-start') isBlock = false
    }
    line += token.split('\n').length - 1
  }
  return isBlock
}

function rootOf({ contents }: Document.Parsed, path: string): Record<string, unknown> {
  if (contents === null || (yaml().isScalar(contents) && contents.value === null)) return {}
  if (!yaml().isMap(contents)) rejectPackage('frontmatter-invalid', path, 'It is not a list of fields.')
  return jsonOf(contents, path, maxDepth) as Record<string, unknown>
}

function jsonOf(node: Node | null, path: string, depthLeft: number): unknown {
  if (node === null) return null
  if (yaml().isScalar(node)) return scalarOf(node, path)
  if (depthLeft === 0)
    rejectPackage('frontmatter-too-deep', path, `It is nested deeper than ${maxDepth} levels.`)
  if (yaml().isSeq<Node | null>(node)) return node.items.map(item => jsonOf(item, path, depthLeft - 1))
  if (!yaml().isMap<Node | null, Node | null>(node))
    return rejectPackage('frontmatter-anchor', path, 'Aliases are not taken.')
  const fields: Record<string, unknown> = {}
  const seen = new Set<string>()
  for (const { key, value } of node.items) {
    const name = keyOf(key, path)
    if (seen.has(name))
      rejectPackage('frontmatter-duplicate', path, `The key ${quoteStart(name)} appears twice.`)
    seen.add(name)
    fields[name] = jsonOf(value, path, depthLeft - 1)
  }
  return fields
}

function keyOf(key: Node | null, path: string): string {
  if (!yaml().isScalar(key) || key.value === null)
    return rejectPackage('frontmatter-key', path, 'A key is not a text.')
  const name = storable(typeof key.value === 'string' ? key.value : (key.source ?? ''), path)
  if (name === '<<') rejectPackage('frontmatter-merge', path, 'Merge keys are not taken.')
  if (name === '__proto__') rejectPackage('frontmatter-key', path, 'The key __proto__ is not taken.')
  return name
}

function scalarOf({ value, source }: Scalar, path: string): unknown {
  if (typeof value === 'string') return storable(value, path)
  if (typeof value !== 'number') return value
  return isExactNumber(value) && String(value) === source ? value : (source ?? '')
}

function storable(text: string, path: string): string {
  if (text.includes('\0') || !text.isWellFormed())
    rejectPackage('frontmatter-characters', path, 'It holds NUL or broken characters.')
  return text
}

const field = /^(\s*(?:- )?[A-Za-z_][\w.-]*:[ \t]+)([^\s"'[\]{}|>&*!#%@`?-].*)$/

/** The text with quotes around values with a colon that stand in these lines (counted from 1). */
function withQuotes(text: string, wrong: readonly number[]): { text: string; repaired: number[] } {
  const lines = text.split('\n')
  const repaired = wrong.filter(line => {
    const [, name, value = ''] = field.exec((lines[line - 1] ?? '').trimEnd()) ?? []
    if (!/:(\s|$)/.test(value)) return false
    lines[line - 1] = `${name}${JSON.stringify(value)}`
    return true
  })
  return { text: lines.join('\n'), repaired }
}
