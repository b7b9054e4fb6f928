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

/** Fields of requests and replies keep their names, because clients use them. */
const wireNames = new Set(['askedAt'])

/** Patterns of sentences in documents, comments and the texts of the contract. */
const sentencePatterns: [pattern: RegExp, instead: string][] = [
  [
    /(?:^|[.;:] +|\*\* )(?:What|Whoever|Whom|Who) (?!is it\b|do\b|does\b|happens\b)[a-z]+/,
    'name the subject',
  ],
  [/\bwhoever\b/i, 'name the role, or "anybody who"'],
  [/\b(?:is|are|was|were|be|been|being|gets?|got) told\b/, 'receives, is notified, shows'],
  [/\b(?:told|hears?|heard) of\b/, 'receives events about'],
  [/\btells? (?:nothing|nobody|of|apart|how|what|where|which|whose|whether)\b/, 'shows, reports, says'],
  [/\bwhat (?:comes|came|becomes|became) of\b|\b(?:comes|came) of (?:it|this|that|them)\b/, 'the result of'],
  [/\bis at it\b|\bis at work on\b/, 'is processing'],
  [/\b(?:is|are|was|were|been|be) looked (?:at|into|through)\b/, 'is checked, polled, examined'],
  [/\blooks? (?:whether|anew)\b/, 'checks whether'],
  [/\bstands? (?:in|beside|below|behind|above|there|for itself|under)\b/, 'is in, is stored in'],
  [/\b(?:gives?|gave|given|giving) back\b/, 'refund, return, release'],
  [/\b(?:gives?|gave|given) (?:way|place)\b/, 'is cancelled, is replaced'],
  [/\b(?:takes?|taken|took) away\b/, 'removes, subtracts'],
  [/\ball the same\b/, 'anyway'],
  [/\bnow and then\b|\b(?:comes?|came) about\b|\bbegins? anew\b/, 'from time to time, happens, starts again'],
  [/\b(?:is|are|was|were|be) begun\b/, 'is started, is created'],
  [/\bas (?:it|they) (?:comes?|came)\b/, 'as received'],
  [/\bannounces? nothing\b/, 'emits no event'],
  [/\bleads? nowhere\b|\bpage to pay\b/, 'is invalid, payment page'],
  [/\b(?:the|this|of the) house\b/, 'Patio, the code'],
  [/\b(?:shelf|shelves|tally|tallies|lanes?|tills?|hatch|hatches|hearers?)\b/i, 'see the glossary'],
  [/\bDocuments? [123]\b/, 'cite a rule of docs/spec'],
]

export type RefusedWord = { path: string; line: number; text: string; instead: string }

/** Everything in the tracked files that uses a private word or a refused sentence pattern. */
export function findPrivateWords(): RefusedWord[] {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  const paths = stdout
    .split('\n')
    .filter(path => /\.(tsx?|mjs|cjs|md|sql)$/.test(path) && !ignored.test(path))
  return paths.flatMap(path => [...inName(path), ...inText(path, readFileSync(path, 'utf8'))])
}

// this file names them; texts of others and the history of changes stay
const ignored = /^(tools\/words\.ts|docs\/api\/|tests\/fixtures\/|CHANGELOG\.md)/

function inName(path: string): RefusedWord[] {
  return refusedIn(path).map(refused => ({ path, line: 1, ...refused }))
}

function inText(path: string, text: string): RefusedWord[] {
  if (path.endsWith('.md')) return inProse(path, paragraphsOf(text))
  if (path.endsWith('.sql')) {
    const code = text.replace(/--.*$/gm, blank).replace(/'[^']*'/g, blank)
    return [...inIdentifiers(path, code, identifiersOfSql(code)), ...inProse(path, commentsOf(text, /--/))]
  }
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const prose = commentsOf(text, /\/\//)
  if (path.startsWith('contract/')) prose.push(...sentencesOf(file))
  return [...inIdentifiers(path, text, identifiersOf(file)), ...inProse(path, prose)]
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

type Passage = { line: number; text: string }

/** The paragraphs and table rows of a page, without code. */
function paragraphsOf(page: string): Passage[] {
  const text = page.replace(/^```[\s\S]*?^```/gm, blank).replace(/`[^`\n]*`/g, 'x')
  return joined(text, /(?:(?!\n\s*\n|\n\s*[-|#\d])[\s\S])+/g)
}

/** Block comments, and groups of line comments that begin with the marker. */
function commentsOf(text: string, marker: RegExp): Passage[] {
  const { source } = marker
  const pattern = `/\\*[\\s\\S]*?\\*/|^[ \\t]*${source}.*(?:\\n[ \\t]*${source}.*)*`
  return joined(text, new RegExp(pattern, 'gm'))
}

/** Strings of the contract that are sentences: summaries, descriptions and messages. */
function sentencesOf(file: ts.SourceFile): Passage[] {
  const passages: Passage[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && node.text.includes(' ')) {
      passages.push({ line: lineOf(file.text, node.getStart(file)), text: node.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return passages
}

/** The matches, each as one line of text without the marks of comments and lists. */
function joined(text: string, pattern: RegExp): Passage[] {
  return [...text.matchAll(pattern)].map(match => ({
    line: lineOf(text, match.index + match[0].search(/\S|$/)),
    text: match[0]
      .replace(/^[ \t]*(?:\/\*\*?|\*\/|\*|\/\/|--|[-|#]+|\d+\.)[ \t]*/gm, '')
      .replace(/\s+/g, ' ')
      .trim(),
  }))
}

function inProse(path: string, passages: readonly Passage[]): RefusedWord[] {
  return passages.flatMap(({ line, text }) =>
    sentencePatterns.flatMap(([pattern, instead]) => {
      const match = pattern.exec(text)
      return match ? [{ path, line, text: match[0].trim(), instead }] : []
    }),
  )
}

type Identifier = { name: string; at: number }

function inIdentifiers(path: string, text: string, identifiers: Identifier[]): RefusedWord[] {
  return identifiers.flatMap(({ name, at }) =>
    (wireNames.has(name) ? [] : refusedIn(name)).map(refused => ({
      path,
      line: lineOf(text, at),
      ...refused,
    })),
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

/** The refused words of a name. */
function refusedIn(name: string): Pick<RefusedWord, 'text' | 'instead'>[] {
  return wordsOf(name).flatMap(word => {
    const instead = Object.hasOwn(privateWords, word) ? privateWords[word] : undefined
    return instead === undefined ? [] : [{ text: `"${word}" in ${name}`, instead }]
  })
}

/** The words of a name in camel case, snake case or kebab case. */
function wordsOf(name: string): string[] {
  return name.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).map(word => word.toLowerCase())
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}
