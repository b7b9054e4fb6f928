import type { Document, LineCounter, Node, Scalar } from 'yaml'
import { limits } from '#contract/limits.ts'
import { isExactNumber } from '#platform/http/input.ts'
import { firstOf } from '#platform/required.ts'
import { type InvalidPackageError, quoteStart, rejectPackage } from '../package-errors.ts'
import { importedBounds } from './frontmatter-bounds.ts'
import { yaml } from './yaml.ts'

/** Front matter as JSON. */
export type ParsedFrontmatter = {
  value: Record<string, unknown>
  /** The parsed text: the input, with quotes added around values that need them. */
  text: string
  /** The lines in which quotes were added, counted from 1. */
  repaired: readonly number[]
  /** Whether all of it is in block style, which the strictest readers require. */
  isBlock: boolean
}

/**
 * Larger front matter is rejected. Parsing is synchronous, blocks this process, and takes time for each token.
 */
export const { characters: maxYamlCharacters, tokens: maxYamlTokens } = importedBounds
const maxRepairRounds = 3
/** One level less than a request body, in which front matter is a field. */
const maxDepth = limits.jsonDepth - 1

/**
 * Reads front matter by the core schema of YAML 1.2. Numbers that JSON would write differently or cannot represent stay
 * strings. Anchors, aliases, tags, merge keys, directives and duplicate keys are rejected. A value with a colon that lacks
 * quotes gets them. Throws InvalidPackageError.
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
      rejectPackage(
        'frontmatter-invalid',
        path,
        `The front matter is not valid YAML: ${error.message}`,
        firstOf(lines) + 1,
      )
    repaired.push(...quoted.repaired)
    current = quoted.text
  }
}

/** Like `readYaml`, but undefined for invalid front matter. */
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

/** The nodes of a valid text, for editing. Values keep their spelling. */
export function documentOf(text: string): Document.Parsed {
  return yaml().parseDocument(text, { ...options, schema: 'failsafe' })
}

/** A valid text as YAML 1.1 parsers read it: some words and numbers have other values there. */
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
  // Checked in `jsonOf`, in linear time
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const

function parse(text: string, path: string, lineCounter: LineCounter): Document.Parsed {
  try {
    return yaml().parseDocument(text, { ...options, lineCounter })
  } catch (error) {
    if (error instanceof RangeError)
      return rejectPackage('frontmatter-too-deep', path, 'The front matter is nested too deeply.')
    throw error
  }
}

const forbiddenTokens: Record<string, [code: string, message: string]> = {
  anchor: ['frontmatter-anchor', 'Anchors are not allowed.'],
  alias: ['frontmatter-anchor', 'Aliases are not allowed.'],
  tag: ['frontmatter-tag', 'Tags are not allowed.'],
  'directive-line': ['frontmatter-directive', 'Directives are not allowed.'],
  'doc-start': ['frontmatter-documents', 'The front matter must be one document.'],
  'doc-end': ['frontmatter-documents', 'The front matter must be one document.'],
}

/** Rejects forbidden tokens before parsing. Returns whether the text is in block style. */
function checkTokens(text: string, path: string): boolean {
  if (text.length > maxYamlCharacters)
    rejectPackage(
      'frontmatter-too-long',
      path,
      `The front matter is longer than ${maxYamlCharacters} characters.`,
    )
  let isBlock = true
  let isContent = false
  let line = 1
  let count = 0
  const { CST, Lexer } = yaml()
  for (const token of new Lexer().lex(text)) {
    if (++count > maxYamlTokens)
      rejectPackage('frontmatter-too-long', path, 'The front matter has too many tokens.')
    if (isContent) isContent = false
    else if (token === CST.SCALAR) isContent = true
    else {
      const type = CST.tokenType(token) ?? ''
      const problem = forbiddenTokens[type]
      // The opening delimiter is the line before the text
      if (problem) rejectPackage(problem[0], path, problem[1], line + 1)
      if (type === 'flow-map-start' || type === 'flow-seq-start') isBlock = false
    }
    line += token.split('\n').length - 1
  }
  return isBlock
}

function rootOf({ contents }: Document.Parsed, path: string): Record<string, unknown> {
  if (contents === null || (yaml().isScalar(contents) && contents.value === null)) return {}
  if (!yaml().isMap(contents))
    rejectPackage('frontmatter-invalid', path, 'The front matter is not a mapping of keys to values.')
  return jsonOf(contents, path, maxDepth) as Record<string, unknown>
}

function jsonOf(node: Node | null, path: string, depthLeft: number): unknown {
  if (node === null) return null
  if (yaml().isScalar(node)) return scalarOf(node, path)
  if (depthLeft === 0)
    rejectPackage('frontmatter-too-deep', path, `The front matter is nested deeper than ${maxDepth} levels.`)
  if (yaml().isSeq<Node | null>(node)) return node.items.map(item => jsonOf(item, path, depthLeft - 1))
  if (!yaml().isMap<Node | null, Node | null>(node))
    return rejectPackage('frontmatter-anchor', path, 'Aliases are not allowed.')
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
    return rejectPackage('frontmatter-key', path, 'A key is not a string.')
  const name = storable(typeof key.value === 'string' ? key.value : (key.source ?? ''), path)
  if (name === '<<') rejectPackage('frontmatter-merge', path, 'Merge keys are not allowed.')
  if (name === '__proto__') rejectPackage('frontmatter-key', path, 'The key __proto__ is not allowed.')
  return name
}

function scalarOf({ value, source }: Scalar, path: string): unknown {
  if (typeof value === 'string') return storable(value, path)
  if (typeof value !== 'number') return value
  return isExactNumber(value) && String(value) === source ? value : (source ?? '')
}

function storable(text: string, path: string): string {
  if (text.includes('\0') || !text.isWellFormed())
    rejectPackage('frontmatter-characters', path, 'The front matter contains NUL or invalid characters.')
  return text
}

const field = /^(\s*(?:- )?[A-Za-z_][\w.-]*:[ \t]+)([^\s"'[\]{}|>&*!#%@`?-].*)$/

/** The text with quotes added around values with a colon in these lines (counted from 1). */
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
