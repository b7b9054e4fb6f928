import { canonicalJson } from '../../entries/digest.ts'
import { type Conflict, type Kind, type Merged, mergeValue, type Side, type Three } from './values.ts'

/** The fields, and the text that they were written in, if it is known. */
export type Frontmatter = { fields: Record<string, unknown>; text: string | null }

/** Fields are compared by what they say; a field that is not there is undefined. */
const values: Kind<unknown> = {
  isSame: (one, other) =>
    one === undefined || other === undefined ? one === other : canonicalJson(one) === canonicalJson(other),
  tell: value => (value === undefined ? null : JSON.stringify(value)),
}
const wholes: Kind<Frontmatter> = {
  isSame: (one, other) => one.text === other.text && values.isSame(one.fields, other.fields),
  tell: () => null,
}

/**
 * Merges front matter field by field. What only one side changed keeps its text, with comments and order; so does a
 * result that says the same as one of the sides.
 */
export function mergeFrontmatter(three: Three<Frontmatter>, take: Side | undefined): Merged<Frontmatter> {
  const whole = mergeValue('frontmatter', three, wholes, take)
  if (whole.conflicts.length === 0) return whole
  const { base, yours, theirs } = three
  const conflicts: Conflict[] = []
  const merged: [name: string, value: unknown][] = []
  for (const name of new Set([yours, theirs, base].flatMap(({ fields }) => Object.keys(fields)))) {
    const of = ({ fields }: Frontmatter) => (Object.hasOwn(fields, name) ? fields[name] : undefined)
    const field = { base: of(base), yours: of(yours), theirs: of(theirs) }
    const one = mergeValue(`frontmatter.${name}`, field, values, take)
    conflicts.push(...one.conflicts)
    if (one.value !== undefined) merged.push([name, one.value])
  }
  const fields = Object.fromEntries(merged)
  const alike = [yours, theirs].find(side => values.isSame(side.fields, fields))
  return { value: alike ?? { fields, text: null }, conflicts }
}
