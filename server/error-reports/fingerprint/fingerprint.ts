import { hash } from 'node:crypto'
import { type CustomSecretNames, noCustomNames } from '../scrub/secret-keys.ts'
import { scrubText } from '../scrub/text.ts'
import { replaceVariables } from './placeholders.ts'
import { findApplicationFrame } from './stack-frames.ts'

/** The fingerprint version of new groups. */
export const fingerprintVersion = 'e1'

/** The fields that identify an error. Line, severity, endpoint, method, user and request do not. */
export type FingerprintInput = {
  module: string
  message: string
  file?: string | undefined
  function?: string | undefined
  stack?: string | undefined
  /** `context.fingerprint`: the custom grouping of the caller. */
  custom?: unknown
}

const maxScannedLength = 1_000
const maxMessageLength = 500
const maxCustomParts = 5
const maxCustomPartLength = 100

/**
 * The hash that groups the occurrences of an error: 32 hexadecimal digits. `message`, `file` and `function` are already
 * scrubbed; values from the stack are scrubbed here.
 */
export function computeFingerprint(
  error: FingerprintInput,
  customNames: CustomSecretNames = noCustomNames,
): string {
  const location = locationOf(error, customNames)
  const parts = [normalizeMessage(error.message), location.file, location.function]
  const custom = customPartsOf(error.custom, customNames)
  const module = error.module.toLowerCase()
  return custom
    ? hashOf('own', module, ...custom.flatMap(part => (part === '{{default}}' ? parts : [part])))
    : hashOf(module, ...parts)
}

/** The hash of the overflow group, which collects the errors of a module when there are too many distinct ones. */
export function computeOverflowFingerprint(module: string): string {
  return hashOf('overflow', module.toLowerCase())
}

function hashOf(...parts: string[]): string {
  const text = [fingerprintVersion, ...parts].map(part => `${part.length}:${part}`).join('')
  return hash('sha256', text, 'hex').slice(0, 32)
}

/** The first two non-empty lines in Unicode form NFC, with variable parts replaced. */
export function normalizeMessage(message: string): string {
  const lines = message
    .slice(0, maxScannedLength)
    .normalize('NFC')
    .split(/\r?\n|\r/)
    .map(line =>
      line
        .replace(/\p{Cc}/gu, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(line => line !== '')
  return replaceVariables(lines.slice(0, 2).join('\n')).slice(0, maxMessageLength)
}

function locationOf({ file, function: name, stack }: FingerprintInput, customNames: CustomSecretNames) {
  const reported = { file: normalizeFile(file ?? ''), function: normalizeFunction(name ?? '') }
  if (reported.file !== '' || reported.function !== '' || !stack) return reported
  const frame = findApplicationFrame(stack)
  return frame
    ? {
        file: normalizeFile(scrubText(frame.file, customNames)),
        function: normalizeFunction(scrubText(frame.function, customNames)),
      }
    : reported
}

/** The last two segments in lower case, without build hashes and query strings. */
export function normalizeFile(file: string): string {
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

const anonymousFunction =
  /^(?:<anonymous>|anonymous|\{closure\}|<lambda>|lambda|<module>|\{main\}|Object\.<anonymous>|global code)$/i

/** The name with its class; empty for an anonymous function. */
export function normalizeFunction(name: string): string {
  const plain = name
    .trim()
    .replace(/^(?:async |new )+/, '')
    .replace(/ \[as [^\]]{0,200}\]$/, '')
    .replace(/\(\)$/, '')
  return anonymousFunction.test(plain) ? '' : plain.replace(/\.<anonymous>$/, '')
}

function customPartsOf(custom: unknown, customNames: CustomSecretNames): string[] | undefined {
  const list = typeof custom === 'string' ? [custom] : custom
  if (!Array.isArray(list) || list.length === 0 || list.length > maxCustomParts) return undefined
  if (!list.every(part => typeof part === 'string' && part.length > 0 && part.length <= maxCustomPartLength))
    return undefined
  return list.map(part => (part === '{{default}}' ? part : scrubText(part as string, customNames)))
}
