import { computeFingerprint } from '../fingerprint/fingerprint.ts'
import { type CustomSecretNames, noCustomNames } from '../scrub/secret-keys.ts'
import { scrubText } from '../scrub/text.ts'
import type { ReportBody } from './report-body.ts'

/** The hash of a report and the scrubbed fields that its group shows. */
export type IdentifiedReport = {
  hash: string
  message: string
  module: string
  file: string | null
  function: string | null
  endpoint: string | null
}

const maxCached = 8_192
const maxCachedLength = 1_000
const cache = new Map<string, IdentifiedReport>()

/**
 * Scrubs a report and computes its fingerprint. During an error storm the same error is reported again and again, so
 * results are cached, unless the report contained a secret or is long.
 */
export function identify(
  report: ReportBody,
  customNames: CustomSecretNames = noCustomNames,
): IdentifiedReport {
  // the cache is shared by all organizations, and custom names belong to one
  const key = customNames.size > 0 ? undefined : cacheKeyOf(report)
  const cached = key === undefined ? undefined : cache.get(key)
  if (cached) return cached
  const result = scrubAndFingerprint(report, customNames)
  if (key !== undefined && isClean(report, result)) {
    if (cache.size >= maxCached) cache.clear()
    cache.set(key, result)
  }
  return result
}

function cacheKeyOf(report: ReportBody): string | undefined {
  const { message, module, file = '', function: name = '', endpoint = '', stack, context } = report
  if (context?.fingerprint !== undefined) return undefined
  const key = [message, module, file, name, endpoint, usesStack(report) ? stack : ''].join('\0')
  return key.length <= maxCachedLength ? key : undefined
}

function isClean(
  report: ReportBody,
  { message, module, file, function: name, endpoint }: IdentifiedReport,
): boolean {
  return (
    message === report.message &&
    module === report.module &&
    (file ?? '') === (report.file ?? '') &&
    (name ?? '') === (report.function ?? '') &&
    (endpoint ?? '') === (report.endpoint ?? '') &&
    (report.stack === undefined || !usesStack(report) || scrubText(report.stack) === report.stack)
  )
}

function usesStack({ file, function: name, stack }: ReportBody): boolean {
  return !file && !name && stack !== undefined
}

function scrubAndFingerprint(
  { message, module, file, function: name, endpoint, stack, context }: ReportBody,
  customNames: CustomSecretNames,
): IdentifiedReport {
  const cleanOrNull = (text: string | undefined) => (text ? scrubText(text, customNames) : null)
  const clean = {
    message: scrubText(message, customNames),
    module: scrubText(module, customNames),
    file: cleanOrNull(file),
    function: cleanOrNull(name),
    endpoint: cleanOrNull(endpoint),
  }
  const { file: cleanFile, function: cleanFunction } = clean
  const identity = {
    message: clean.message,
    module: clean.module,
    file: cleanFile ?? undefined,
    function: cleanFunction ?? undefined,
  }
  return {
    ...clean,
    hash: computeFingerprint({ ...identity, stack, custom: context?.fingerprint }, customNames),
  }
}
