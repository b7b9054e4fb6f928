import { hash } from 'node:crypto'
import { noNames, type OwnNames } from '../scrub/secret-keys.ts'
import { scrubText } from '../scrub/text.ts'
import { placeIn } from './stack-frames.ts'
import { tokenised } from './placeholders.ts'

/** The version that new groups are made with. */
export const fingerprintVersion = 'e1'

/** What identifies an error. Line, severity, endpoint, method, user and request do not. */
export type Identity = {
  module: string
  message: string
  file?: string | undefined
  function?: string | undefined
  stack?: string | undefined
  /** `context.fingerprint`: what the caller groups by instead. */
  own?: unknown
}

const scanned = 1_000
const kept = 500
const ownParts = 5
const ownLength = 100

/**
 * The hash that groups the repetitions of an error: 32 hexadecimal digits. `message`, `file` and `function` are
 * scrubbed already; what is taken from the stack is scrubbed here.
 */
export function fingerprint(error: Identity, names: OwnNames = noNames): string {
  const place = placeOf(error, names)
  const parts = [normalMessage(error.message), place.file, place.function]
  const own = ownOf(error.own, names)
  const module = error.module.toLowerCase()
  return own
    ? hashOf('own', module, ...own.flatMap(part => (part === '{{default}}' ? parts : [part])))
    : hashOf(module, ...parts)
}

/** The hash of the group that takes the errors of a module when there are too many distinct ones. */
export function overflowFingerprint(module: string): string {
  return hashOf('overflow', module.toLowerCase())
}

function hashOf(...parts: string[]): string {
  const text = [fingerprintVersion, ...parts].map(part => `${part.length}:${part}`).join('')
  return hash('sha256', text, 'hex').slice(0, 32)
}

/** The first two lines that say something, in one form of Unicode, with what varies taken out. */
export function normalMessage(message: string): string {
  const lines = message
    .slice(0, scanned)
    .normalize('NFC')
    .split(/\r?\n|\r/)
    .map(line =>
      line
        .replace(/\p{Cc}/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(line => line !== '')
  return tokenised(lines.slice(0, 2).join('\n')).slice(0, kept)
}

function placeOf({ file, function: name, stack }: Identity, names: OwnNames) {
  const said = { file: normalFile(file ?? ''), function: normalFunction(name ?? '') }
  if (said.file !== '' || said.function !== '' || !stack) return said
  const found = placeIn(stack)
  return found
    ? {
        file: normalFile(scrubText(found.file, names)),
        function: normalFunction(scrubText(found.function, names)),
      }
    : said
}

/** The last two segments, lower case, without what a build or a query adds. */
export function normalFile(file: string): string {
  const path = file
    .trim()
    .replace(/[?#].*$/s, '')
    .replaceAll('\\', '/')
  const segments = path.split('/').filter(segment => segment !== '' && segment !== '.')
  return segments
    .slice(-2)
    .map(segment => segment.replace(/[.-](?=[\da-f]*\d)[\da-f]{8,64}(?=\.)/gi, ''))
    .join('/')
    .toLowerCase()
}

const anonymous =
  /^(?:<anonymous>|anonymous|\{closure\}|<lambda>|lambda|<module>|\{main\}|Object\.<anonymous>|global code)$/i

/** A name with the class before it; empty when there is none. */
export function normalFunction(name: string): string {
  const plain = name
    .trim()
    .replace(/^(?:async |new )+/, '')
    .replace(/ \[as [^\]]{0,200}\]$/, '')
    .replace(/\(\)$/, '')
  return anonymous.test(plain) ? '' : plain.replace(/\.<anonymous>$/, '')
}

function ownOf(own: unknown, names: OwnNames): string[] | undefined {
  const list = typeof own === 'string' ? [own] : own
  if (!Array.isArray(list) || list.length === 0 || list.length > ownParts) return undefined
  if (!list.every(part => typeof part === 'string' && part.length > 0 && part.length <= ownLength))
    return undefined
  return list.map(part => (part === '{{default}}' ? part : scrubText(part as string, names)))
}
