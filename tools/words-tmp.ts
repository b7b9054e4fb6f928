/**
 * The words and sentence patterns that the project does not use, with what to write instead. docs/glossary.md has the
 * words that it does use. `npm run check` refuses each of them in identifiers, file names, names of tables and columns,
 * comments and documents.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** Words of identifiers, file names, tables and columns. */
const privateWords: Record<string, string> = {
  told: 'notified, emitted, reported, or the event',
  tell: 'emit, notify or report',
  tells: 'emits, notifies or reports',
  said: 'the reply, the message, or reported',
  begun: 'started',
  asked: 'requested, or the request',
  kept: 'stored or retained',
  till: 'payment context',
  desk: 'review queue, or the context',
  lane: 'endpoint queue',
  lanes: 'endpoint queues',
  furnish: 'seed',
  tally: 'counter or count',
  tallied: 'counted',
  shelf: 'bucket',
  shelves: 'buckets',
  hearer: 'listener or subscriber',
  hearers: 'listeners or subscribers',
  heard: 'received, or recipients',
  reckon: 'compute',
  reckoned: 'computed',
  stretch: 'segment',
  whom: 'the role: recipient, payer, grantee',
  standing: 'access or membership',
  pulse: 'health check',
  patience: 'timeout',
  hatch: 'the exception by its name',
  neighbour: 'another tenant',
  laws: 'invariants',
  stories: 'end-to-end tests',
}

/** Patterns of sentences in documents and comments. */
const sentencePatterns: [pattern: RegExp, instead: string][] = [
  [/\b(?:is|are|was|were|be|been) told\b/i, 'receives, is notified, or shows'],
  [/\bcomes? of it\b/i, 'name the result'],
  [/\bis at it\b/i, 'name the work'],
  [/\bDocuments? [123]\b/, 'cite a rule of docs/spec'],
]

export type Finding = { path: string; line: number; text: string; instead: string }

/** Everything in the tracked files that uses a private word or a refused sentence pattern. */
export function findPrivateWords(): Finding[] {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  const paths = stdout.split('\n').filter(path => /\.(ts|mjs|cjs|md|sql)$/.test(path) && !ignored.test(path))
  return paths.flatMap(path => [...inName(path), ...inText(path, readFileSync(path, 'utf8'))])
}

// this file names them; texts of others and the history of changes stay
const ignored = /^(tools\/words\.ts|docs\/api\/|tests\/fixtures\/|CHANGELOG\.md)/

function inName(path: string): Finding[] {
  return wordsOf(path.replaceAll(/[^a-zA-Z]+/g, ' ')).flatMap(word => finding(path, 1, word, path))
}

function inText(path: string, text: string): Finding[] {
  if (path.endsWith('.md')) return inProse(path, text.replace(/^```[\s\S]*?^```/gm, blank))
  if (path.endsWith('.sql')) {
    const code = text.replace(/--.*$/gm, blank).replace(/'[^']*'/g, blank)
    return [
      ...inIdentifiers(path, code, identifiersOfSql(code)),
      ...inProse(path, commentsOf(text, /--.*$/gm)),
    ]
  }
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  return [
    ...inIdentifiers(path, text, identifiersOf(file)),
    ...inProse(path, commentsOf(text, /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm)),
  ]
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

/** The text with everything but its comments blanked, so that lines keep their numbers. */
function commentsOf(text: string, pattern: RegExp): string {
  let rest = ''
  let end = 0
  for (const match of text.matchAll(pattern)) {
    rest += blank(text.slice(end, match.index)) + match[0]
    end = match.index + match[0].length
  }
  return rest
}

function inProse(path: string, text: string): Finding[] {
  return sentencePatterns.flatMap(([pattern, instead]) =>
    [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(match => ({
      path,
      line: lineOf(text, match.index),
      text: match[0],
      instead,
    })),
  )
}

type Identifier = { name: string; at: number }

function inIdentifiers(path: string, text: string, identifiers: Identifier[]): Finding[] {
  return identifiers.flatMap(({ name, at }) =>
    wordsOf(name).flatMap(word => finding(path, lineOf(text, at), word, name)),
  )
}

function identifiersOf(file: ts.SourceFile): Identifier[] {
  const identifiers: Identifier[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) identifiers.push({ name: node.text, at: node.getStart(file) })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return identifiers
}

function identifiersOfSql(code: string): Identifier[] {
  return [...code.matchAll(/[a-z_]+/g)].map(match => ({ name: match[0], at: match.index }))
}

function finding(path: string, line: number, word: string, name: string): Finding[] {
  const instead = Object.hasOwn(privateWords, word) ? privateWords[word] : undefined
  return instead === undefined ? [] : [{ path, line, text: `"${word}" in ${name}`, instead }]
}

/** The words of a name in camel case, snake case or kebab case. */
function wordsOf(name: string): string[] {
  return name.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase())
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}
