import { fingerprint } from '../fingerprint/fingerprint.ts'
import { noNames, type OwnNames } from '../scrub/secret-keys.ts'
import { scrubText } from '../scrub/text.ts'
import type { Said } from './report-body.ts'

/** What groups a report, and what its group shows. */
export type Identified = {
  hash: string
  message: string
  module: string
  file: string | null
  function: string | null
  endpoint: string | null
}

const mostRemembered = 8_192
const longestRemembered = 1_000
const remembered = new Map<string, Identified>()

/**
 * Takes the secrets out and makes the fingerprint. In a storm the same error comes again and again: what has been
 * identified is remembered, unless it held a secret or is long.
 */
export function identify(said: Said, own: OwnNames = noNames): Identified {
  // what is remembered is remembered for all organizations
  const key = own.size > 0 ? undefined : keyOf(said)
  const known = key === undefined ? undefined : remembered.get(key)
  if (known) return known
  const found = identified(said, own)
  if (key !== undefined && isClean(said, found)) {
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(key, found)
  }
  return found
}

function keyOf(said: Said): string | undefined {
  const { message, module, file = '', function: name = '', endpoint = '', stack, context } = said
  if (context?.fingerprint !== undefined) return undefined
  const key = [message, module, file, name, endpoint, isFromStack(said) ? stack : ''].join('\0')
  return key.length <= longestRemembered ? key : undefined
}

function isClean(said: Said, { message, module, file, function: name, endpoint }: Identified): boolean {
  return (
    message === said.message &&
    module === said.module &&
    (file ?? '') === (said.file ?? '') &&
    (name ?? '') === (said.function ?? '') &&
    (endpoint ?? '') === (said.endpoint ?? '') &&
    (!isFromStack(said) || scrubText(said.stack!) === said.stack)
  )
}

function isFromStack({ file, function: name, stack }: Said): boolean {
  return !file && !name && stack !== undefined
}

function identified(
  { message, module, file, function: name, endpoint, stack, context }: Said,
  own: OwnNames,
): Identified {
  const cleanOrNull = (text: string | undefined) => (text ? scrubText(text, own) : null)
  const clean = {
    message: scrubText(message, own),
    module: scrubText(module, own),
    file: cleanOrNull(file),
    function: cleanOrNull(name),
    endpoint: cleanOrNull(endpoint),
  }
  const { file: where, function: which } = clean
  const identity = {
    message: clean.message,
    module: clean.module,
    file: where ?? undefined,
    function: which ?? undefined,
  }
  return { ...clean, hash: fingerprint({ ...identity, stack, own: context?.fingerprint }, own) }
}
