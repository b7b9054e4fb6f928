import { maskedCard, maskedEmail } from '../scrub/text.ts'

/**
 * Replaces the parts that vary between occurrences of one error (numbers, ids, times, addresses) with placeholders. One
 * pass from left to right with scanners of bounded look-ahead, so that the time is linear in the length of the text. The
 * order of the scanners and the words that stay are part of fingerprint version e1 (GRP-5, GRP-6).
 */
export function replaceVariables(text: string): string {
  const scan: ScanState = { text, word: '', noEmailBefore: 0 }
  let out = ''
  let at = 0
  while (at < text.length) {
    const replacement = replacementAt(scan, at)
    if (replacement) {
      out += replacement.output
      if (!replacement.keepsWord) scan.word = ''
      at = replacement.end
    } else if (isWord(text.charCodeAt(at))) {
      const end = endOfWord(text, at)
      const word = text.slice(at, end)
      out += word
      scan.word = word.toLowerCase()
      at = end
    } else {
      out += text[at++]
    }
  }
  return out
}

type ScanState = {
  readonly text: string
  /** The last word that was copied, in lower case; empty after a placeholder. */
  word: string
  /** No e-mail address starts before this index. */
  noEmailBefore: number
}
type Replacement = { output: string; end: number; keepsWord?: boolean }
type Scanner = (scan: ScanState, at: number) => Replacement | undefined

function replacementAt(scan: ScanState, at: number): Replacement | undefined {
  const first = scan.text.charAt(at)
  for (const scanner of scanners(first)) {
    const replacement = scanner(scan, at)
    if (replacement) return replacement
  }
  return undefined
}

function scanners(first: string): readonly Scanner[] {
  if (isDigit(first.charCodeAt(0))) return digitScanners
  if (isWord(first.charCodeAt(0))) return letterScanners
  return signScanners[first] ?? []
}

const isDigit = (code: number) => code > 47 && code < 58
const isLetter = (code: number) => (code > 64 && code < 91) || (code > 96 && code < 123) || code > 127
const isWord = (code: number) => isDigit(code) || isLetter(code)
const isHexDigit = (code: number) => isDigit(code) || (code > 64 && code < 71) || (code > 96 && code < 103)
const isLocal = (code: number) =>
  isWord(code) || code === 46 || code === 95 || code === 37 || code === 43 || code === 45

function endOfWord(text: string, at: number): number {
  let end = at
  while (end < text.length && isWord(text.charCodeAt(end))) end++
  return end
}

function endsWord(text: string, end: number): boolean {
  return end >= text.length || !isWord(text.charCodeAt(end))
}

/** Matches short patterns that cannot backtrack far. */
function bounded(put: string, ...patterns: RegExp[]): Scanner {
  return ({ text }, at) => {
    for (const pattern of patterns) {
      pattern.lastIndex = at
      if (pattern.test(text) && endsWord(text, pattern.lastIndex))
        return { output: put, end: pattern.lastIndex }
    }
    return undefined
  }
}

const email: Scanner = (scan, at) => {
  const { text } = scan
  if (at < scan.noEmailBefore) return undefined
  let sign = at
  while (sign < text.length && sign - at < 64 && isLocal(text.charCodeAt(sign))) sign++
  if (text[sign] !== '@') {
    scan.noEmailBefore = sign
    return undefined
  }
  let end = sign + 1
  while (end < text.length && (isWord(text.charCodeAt(end)) || text[end] === '.' || text[end] === '-')) end++
  while (end > sign && !isWord(text.charCodeAt(end - 1))) end--
  const top = text.lastIndexOf('.', end)
  if (top > sign + 1 && end - top > 2) return { output: '<email>', end }
  scan.noEmailBefore = sign + 1
  return undefined
}

const url: Scanner = ({ text }, at) => {
  const colon = text.indexOf('://', at)
  if (colon === -1 || colon - at > 12 || colon === at) return undefined
  for (let index = at; index < colon; index++) if (!/[a-z\d+.-]/i.test(text.charAt(index))) return undefined
  return { output: '<url>', end: withoutTrailingPunctuation(text, at, endOfRun(text, colon + 3)) }
}

const delimiters = new Set([...' \t\n\r"\'`<>(){}[]|,;'])
function endOfRun(text: string, at: number): number {
  let end = at
  while (end < text.length && !delimiters.has(text.charAt(end))) end++
  return end
}
function withoutTrailingPunctuation(text: string, at: number, end: number): number {
  let last = end
  while (last > at + 1 && '.:!?'.includes(text.charAt(last - 1))) last--
  return last
}

const webToken = bounded('<jwt>', /eyJ[\w-]{5,1000}\.[\w-]{5,1000}(?:\.[\w-]{0,1000})?/y)
const trace = bounded('<trace>', /[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}/iy)
const uuid = bounded('<uuid>', /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/iy)

const ip4 = /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?:[:/]\d{1,5})?(?!\.?\d)/y
const ip: Scanner = ({ text }, at) => {
  ip4.lastIndex = at
  if (ip4.test(text) && endsWord(text, ip4.lastIndex)) return { output: '<ip>', end: ip4.lastIndex }
  // after a word or a placeholder
  if (text[at] === ':' && at > 0 && (isWord(text.charCodeAt(at - 1)) || text[at - 1] === '>'))
    return undefined
  let end = at
  while (end < text.length && end - at < 46 && (isHexDigit(text.charCodeAt(end)) || text[end] === ':')) end++
  if (!endsWord(text, end)) return undefined
  const run = text.slice(at, end)
  const colons = run.split(':').length - 1
  const isAddress =
    colons > 1 && /\d/.test(run) && (colons === 7 || run.includes('::')) && !run.includes(':::')
  return isAddress ? { output: '<ip>', end } : undefined
}

const clock = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AP]M)?'
const zone = '(?: ?(?:Z|UTC|GMT)?(?:[+-]\\d{2}:?\\d{2})?(?: \\([A-Za-z ]{1,40}\\))?)'
const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}'
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}'
const date = bounded(
  '<date>',
  new RegExp(`\\d{4}-\\d{2}-\\d{2}(?:[T ]${clock}${zone})?`, 'y'),
  new RegExp(`\\d{4}/\\d{1,2}/\\d{1,2}(?: ${clock}${zone})?`, 'y'),
  new RegExp(`\\d{1,2}[/.]\\d{1,2}[/.]\\d{4}(?:,? ${clock}${zone})?`, 'y'),
  /\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?: ?[AP]M)?/y,
  new RegExp(`\\d{1,2} ${month} \\d{4}(?:,? ${clock}${zone})?`, 'y'),
)
const namedDate = bounded(
  '<date>',
  new RegExp(`${day},? (?:\\d{1,2} ${month}|${month} \\d{1,2}),? \\d{4}(?:,? ${clock}${zone})?`, 'y'),
  new RegExp(`${month} \\d{1,2},? \\d{4}(?:,? ${clock}${zone})?`, 'y'),
)

const duration = bounded(
  '<dur>',
  /\d{1,15}(?:\.\d{1,9})? ?(?:milliseconds?|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|ms|µs|us|ns|s)/y,
  /(?:\d{1,9}[dhms]){1,4}/y,
)

/** `0x…`, or at least 8 hexadecimal digits with both letters and digits; digits alone are a number. */
const hex: Scanner = ({ text }, at) => {
  const end = endOfWord(text, at)
  const word = text.slice(at, Math.min(end, at + 200))
  if (/^0x[\da-f]+$/i.test(word)) return { output: '<hex>', end }
  return end - at >= 8 && /^[\da-f]+$/i.test(word) && /\d/.test(word) && /[a-f]/i.test(word)
    ? { output: '<hex>', end }
    : undefined
}

const nano = /[\w-]{21}/y
/** At least 16 letters and digits, as in ULIDs, CUIDs and keys; or a nanoid. */
const id: Scanner = ({ text }, at) => {
  const end = endOfWord(text, at)
  const word = text.slice(at, Math.min(end, at + 200))
  if (end - at >= 16 && /\d/.test(word) && /[a-z]/i.test(word)) return { output: '<id>', end }
  nano.lastIndex = at
  if (!nano.test(text) || !endsWord(text, at + 21) || text[at + 21] === '_' || text[at + 21] === '-')
    return undefined
  const run = text.slice(at, at + 21)
  const isMixed =
    /\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run) && /[A-Za-z]\d|\d[A-Za-z]/.test(run)
  return isMixed ? { output: '<id>', end: at + 21 } : undefined
}

const path: Scanner = ({ text }, at) => {
  const isDrive =
    /[A-Za-z]/.test(text.charAt(at)) &&
    text[at + 1] === ':' &&
    (text[at + 2] === '\\' || text[at + 2] === '/')
  if (!isDrive) {
    if (text[at] !== '/' || !/[\w.~@:*-]/.test(text[at + 1] ?? '')) return undefined
    if (at > 0 && (isWord(text.charCodeAt(at - 1)) || '<>/'.includes(text.charAt(at - 1)))) return undefined
  }
  return { output: '<path>', end: withoutTrailingPunctuation(text, at, endOfRun(text, at + 1)) }
}

const figure = /[+-]?\d+(?:,\d{3}(?!\d))*(?:\.\d+)*(?:[eE][+-]?\d{1,4})?/y
const beforeStatus = new Set(['status', 'code', 'http', 'https', 'statuscode', 'httpstatus'])
const number: Scanner = ({ text, word }, at) => {
  if (text[at] === '-' || text[at] === '+') {
    if (!isDigit(text.charCodeAt(at + 1))) return undefined
    if (at > 0 && !' \t(=:,<>["\''.includes(text.charAt(at - 1))) return undefined
  }
  figure.lastIndex = at
  if (!figure.test(text) || !endsWord(text, figure.lastIndex)) return undefined
  const end = figure.lastIndex
  const put = text.slice(at, end)
  if (/^[1-5]\d\d$/.test(put) && beforeStatus.has(word)) return { output: put, end }
  if (/^\d{5}$/.test(put) && word === 'sqlstate') return { output: put, end }
  // in `HTTP/1.1 500` the version separates the word and the status
  return { output: '<num>', end, keepsWord: word === 'http' && text[at - 1] === '/' }
}

const vendors = /(?:ORA|TNS|PLS|RMAN|DRG|IMP|EXP|SP2|SQL)-\d{4,5}/y
const vendorCode: Scanner = ({ text }, at) => {
  vendors.lastIndex = at
  if (!vendors.test(text) || !endsWord(text, vendors.lastIndex)) return undefined
  return { output: text.slice(at, vendors.lastIndex), end: vendors.lastIndex }
}

const value: Scanner = ({ text }, at) => {
  const next = text[at + 1]
  if (next === '"' || next === "'") {
    const end = text.indexOf(next, at + 2)
    return end === -1 ? undefined : { output: '=<val>', end: end + 1 }
  }
  const [word] = /^(?:true|false)(?![\w-])/i.exec(text.slice(at + 1, at + 7)) ?? []
  return word ? { output: '=<val>', end: at + 1 + word.length } : undefined
}

/** The masks that scrubbing inserted. */
const masked: Scanner = ({ text }, at) => {
  if (text.startsWith(maskedEmail, at)) return { output: '<email>', end: at + maskedEmail.length }
  return text.startsWith(maskedCard, at) ? { output: '<num>', end: at + maskedCard.length } : undefined
}

const letterScanners = [email, url, webToken, trace, uuid, ip, namedDate, hex, vendorCode, id, path]
const digitScanners = [email, url, trace, uuid, ip, date, duration, hex, id, number]
const signScanners: Record<string, readonly Scanner[]> = {
  '/': [path],
  ':': [ip],
  '-': [number],
  '+': [number],
  '=': [value],
  '[': [masked],
}
