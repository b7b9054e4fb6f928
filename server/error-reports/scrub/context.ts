import { limits } from '#contract/limits.ts'
import { type CustomSecretNames, filtered, isSecretKey, noCustomNames } from './secret-keys.ts'
import { scrubText } from './text.ts'

type SizeBudget = { remainingBytes: number; isTruncated: boolean; customNames: CustomSecretNames }

/**
 * A copy of the context without secrets, limited in depth and size; a truncated copy has `_truncated`. A report is never
 * refused because of its context.
 */
export function scrubContext(
  context: Record<string, unknown>,
  customNames: CustomSecretNames = noCustomNames,
): Record<string, unknown> {
  const budget: SizeBudget = { remainingBytes: limits.errorContextBytes, isTruncated: false, customNames }
  const copy = copyOf(context, limits.errorContextDepth, budget) as Record<string, unknown>
  return budget.isTruncated ? { ...copy, _truncated: true } : copy
}

function copyOf(value: unknown, depth: number, budget: SizeBudget): unknown {
  if (typeof value === 'string') return scrubAndShorten(value, budget)
  if (typeof value !== 'object' || value === null) {
    budget.remainingBytes -= 6
    return value
  }
  if (depth === 0) {
    budget.isTruncated = true
    return Array.isArray(value) ? [] : {}
  }
  return Array.isArray(value) ? copyOfList(value, depth, budget) : copyOfObject(value, depth, budget)
}

function scrubAndShorten(text: string, budget: SizeBudget): string {
  const fits = text.length <= budget.remainingBytes ? text : cut(text, budget)
  budget.remainingBytes -= Buffer.byteLength(fits) + 3
  return scrubText(fits, budget.customNames)
}

function cut(text: string, budget: SizeBudget): string {
  budget.isTruncated = true
  return text.slice(0, Math.max(0, budget.remainingBytes)).toWellFormed()
}

function copyOfList(list: unknown[], depth: number, budget: SizeBudget): unknown[] {
  const copy: unknown[] = []
  for (const item of list) {
    if (budget.remainingBytes <= 0) {
      budget.isTruncated = true
      break
    }
    copy.push(copyOf(item, depth - 1, budget))
  }
  return copy
}

function copyOfObject(value: object, depth: number, budget: SizeBudget): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (budget.remainingBytes <= Buffer.byteLength(key)) {
      budget.isTruncated = true
      break
    }
    budget.remainingBytes -= Buffer.byteLength(key) + 4
    copy[scrubText(key, budget.customNames)] = isHidden(key, item, budget.customNames)
      ? hideValue(budget)
      : copyOf(item, depth - 1, budget)
  }
  return copy
}

function isHidden(key: string, value: unknown, customNames: CustomSecretNames): boolean {
  return value !== null && typeof value !== 'boolean' && isSecretKey(key, customNames)
}

function hideValue(budget: SizeBudget): string {
  budget.remainingBytes -= filtered.length + 2
  return filtered
}
