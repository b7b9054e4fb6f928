import { limits } from '#contract/limits.ts'
import { filtered, isSecretKey, noNames, type OwnNames } from './secret-keys.ts'
import { scrubText } from './text.ts'

type Budget = { left: number; isCut: boolean; own: OwnNames }

/**
 * A copy of free JSON without secrets, no deeper than 8 and no longer than 16 KB; what was cut off is marked with
 * `_truncated`. A report is never refused for its context.
 */
export function scrubContext(
  context: Record<string, unknown>,
  own: OwnNames = noNames,
): Record<string, unknown> {
  const budget: Budget = { left: limits.errorContextBytes, isCut: false, own }
  const copy = copyOf(context, limits.errorContextDepth, budget) as Record<string, unknown>
  return budget.isCut ? { ...copy, _truncated: true } : copy
}

function copyOf(value: unknown, depth: number, budget: Budget): unknown {
  if (typeof value === 'string') return shortened(value, budget)
  if (typeof value !== 'object' || value === null) {
    budget.left -= 6
    return value
  }
  if (depth === 0) {
    budget.isCut = true
    return Array.isArray(value) ? [] : {}
  }
  return Array.isArray(value) ? copyOfList(value, depth, budget) : copyOfObject(value, depth, budget)
}

function shortened(text: string, budget: Budget): string {
  const fits = text.length <= budget.left ? text : cut(text, budget)
  budget.left -= Buffer.byteLength(fits) + 3
  return scrubText(fits, budget.own)
}

function cut(text: string, budget: Budget): string {
  budget.isCut = true
  return text.slice(0, Math.max(0, budget.left)).toWellFormed()
}

function copyOfList(list: unknown[], depth: number, budget: Budget): unknown[] {
  const copy: unknown[] = []
  for (const item of list) {
    if (budget.left <= 0) {
      budget.isCut = true
      break
    }
    copy.push(copyOf(item, depth - 1, budget))
  }
  return copy
}

function copyOfObject(value: object, depth: number, budget: Budget): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) {
    if (budget.left <= Buffer.byteLength(key)) {
      budget.isCut = true
      break
    }
    budget.left -= Buffer.byteLength(key) + 4
    copy[scrubText(key, budget.own)] = isHidden(key, item, budget.own)
      ? hide(budget)
      : copyOf(item, depth - 1, budget)
  }
  return copy
}

function isHidden(key: string, value: unknown, own: OwnNames): boolean {
  return value !== null && typeof value !== 'boolean' && isSecretKey(key, own)
}

function hide(budget: Budget): string {
  budget.left -= filtered.length + 2
  return filtered
}
