import { canonicalJson } from '../../entries/digest.ts'
import {
  type MergeConflict,
  type MergeResult,
  type MergeSide,
  mergeValue,
  type ThreeWay,
  type ValueComparison,
} from './merge-value.ts'

/** The fields and, if known, their original text. */
export type CopiedFrontmatter = { fields: Record<string, unknown>; text: string | null }

/** Compares fields by value; a missing field is undefined. */
const fieldComparison: ValueComparison<unknown> = {
  isSame: (one, other) =>
    one === undefined || other === undefined ? one === other : canonicalJson(one) === canonicalJson(other),
  toText: value => (value === undefined ? null : JSON.stringify(value)),
}
const wholeComparison: ValueComparison<CopiedFrontmatter> = {
  isSame: (one, other) => one.text === other.text && fieldComparison.isSame(one.fields, other.fields),
  toText: () => null,
}

/**
 * Merges front matter field by field. If only one side changed, or the result equals one side, its text stays with comments
 * and order.
 */
export function mergeFrontmatter(
  three: ThreeWay<CopiedFrontmatter>,
  take: MergeSide | undefined,
): MergeResult<CopiedFrontmatter> {
  const whole = mergeValue('frontmatter', three, wholeComparison, take)
  if (whole.conflicts.length === 0) return whole
  const { base, yours, theirs } = three
  const conflicts: MergeConflict[] = []
  const merged: [name: string, value: unknown][] = []
  for (const name of new Set([yours, theirs, base].flatMap(({ fields }) => Object.keys(fields)))) {
    const of = ({ fields }: CopiedFrontmatter) => (Object.hasOwn(fields, name) ? fields[name] : undefined)
    const field = { base: of(base), yours: of(yours), theirs: of(theirs) }
    const one = mergeValue(`frontmatter.${name}`, field, fieldComparison, take)
    conflicts.push(...one.conflicts)
    if (one.value !== undefined) merged.push([name, one.value])
  }
  const fields = Object.fromEntries(merged)
  const alike = [yours, theirs].find(side => fieldComparison.isSame(side.fields, fields))
  return { value: alike ?? { fields, text: null }, conflicts }
}
