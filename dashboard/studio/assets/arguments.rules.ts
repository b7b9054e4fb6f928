import type { Asset, AssetType } from './asset.ts'

/** An argument of a prompt, which a person fills in before they use it. */
export type PromptArgument = { name: string; description?: string; isRequired: boolean }

const namePattern = /^[A-Za-z_][\w-]{0,63}$/
const mostArguments = 20
const placeholder = /\$(ARGUMENTS(?:\[\d\])?|\d)(?!\w)/g

/** The arguments of a body, as developer tools find them (TOOL-5): declared, by position, or all in one. */
export function argumentsOf({
  type,
  frontmatter,
  bodyMarkdown,
}: Pick<Asset, 'type' | 'frontmatter' | 'bodyMarkdown'>): PromptArgument[] {
  const declared = declaredIn(frontmatter.arguments)
  if (declared.length > 0) return declared
  const hint = frontmatter['argument-hint']
  const description = typeof hint === 'string' && hint.trim() !== '' ? hint.trim() : undefined
  const placeholders = new Set(Array.from(bodyMarkdown.matchAll(placeholder), ([, text]) => text ?? ''))
  const count = countOfPositions(type, placeholders)
  if (count > 0) {
    const names = namesInHint(description ?? '')
    return Array.from({ length: count }, (_, at) => ({
      name: names[at] ?? `argument${at}`,
      isRequired: false,
    }))
  }
  if (description === undefined && !placeholders.has('ARGUMENTS')) return []
  return [{ name: 'arguments', ...(description !== undefined && { description }), isRequired: false }]
}

function declaredIn(value: unknown): PromptArgument[] {
  const list: unknown[] = typeof value === 'string' ? value.split(/\s+/) : Array.isArray(value) ? value : []
  const found = new Map<string, PromptArgument>()
  for (const item of list) {
    const { name, description, required } = (
      typeof item === 'string' ? { name: item } : (item ?? {})
    ) as Record<string, unknown>
    if (typeof name !== 'string' || !namePattern.test(name) || found.has(name)) continue
    found.set(name, {
      name,
      ...(typeof description === 'string' && { description }),
      isRequired: required === true,
    })
  }
  return [...found.values()].slice(0, mostArguments)
}

/** The number of positional arguments of a command: `$2` or `$ARGUMENTS[2]` means three. */
function countOfPositions(type: AssetType, placeholders: Iterable<string>): number {
  if (type !== 'COMMAND') return 0
  const counts = [...placeholders].map(text => {
    const [, number] = /^(?:ARGUMENTS\[)?(\d)\]?$/.exec(text) ?? []
    return number === undefined ? 0 : Number(number) + 1
  })
  return Math.max(0, ...counts)
}

/** `[issue number] <priority>` → `issue-number`, `priority`. */
function namesInHint(hint: string): string[] {
  const names = [...hint.matchAll(/\[([^\]]+)\]|<([^>]+)>/g)].map(([, square, angle]) =>
    (square ?? angle ?? '').replace(/[^\w-]+/g, '-').replace(/^[-\d]+|-+$/g, ''),
  )
  return names.every(name => namePattern.test(name)) && new Set(names).size === names.length ? names : []
}

type Values = Readonly<Record<string, string | undefined>>

/**
 * The body with values instead of `$ARGUMENTS`, `$ARGUMENTS[0]`, `$0`, `$name` and `{{name}}`, as developer tools fill it
 * in (TOOL-6): in one pass, a backslash protects a placeholder, and without any the values follow the body.
 */
export function filledBody(body: string, known: readonly PromptArgument[], values: Values): string {
  const given = known.map(({ name }) => values[name])
  const all = given.filter(value => value !== undefined).join(' ')
  const hasPositions = known.length > 0 && !(known.length === 1 && known[0]?.name === 'arguments')
  let hasPlaceholder = false
  function replacementOf({ all: isAll, index, place, name, braced }: Values): string | undefined {
    if (isAll !== undefined) return all
    const position = index ?? place
    if (position !== undefined) return hasPositions ? given[Number(position)] : undefined
    return values[name ?? braced ?? ''] ?? ''
  }
  const text = body.replace(patternOf(known), (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Values
    if (groups.escape) return match.slice(1)
    const value = replacementOf(groups)
    if (value === undefined) return match
    hasPlaceholder = true
    return value
  })
  return hasPlaceholder || all === '' ? text : `${text}\n\nARGUMENTS: ${all}`
}

function patternOf(known: readonly PromptArgument[]): RegExp {
  const names = known.map(({ name }) => name).toSorted((one, other) => other.length - one.length)
  const named = names.length > 0 ? `|(?<name>${names.join('|')})(?![\\w-])` : ''
  const braced = names.length > 0 ? `|\\{\\{\\s*(?<braced>${names.join('|')})\\s*\\}\\}` : ''
  const positions = String.raw`ARGUMENTS\[(?<index>\d)\]|(?<all>ARGUMENTS)(?!\w)|(?<place>\d)(?!\w)`
  return new RegExp(`(?<escape>\\\\?)\\$(?:${positions}${named})${braced}`, 'g')
}
