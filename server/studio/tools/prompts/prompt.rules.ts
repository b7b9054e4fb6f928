import { limits } from '#contract/limits.ts'
import type { AssetType } from '#contract/studio/assets.ts'

/** What a prompt can be given. */
export type PromptArgument = { name: string; description?: string; required: boolean }

type Frontmatter = Record<string, unknown>

const namePattern = /^[A-Za-z_][\w-]{0,63}$/
const mostArguments = 20

/**
 * The arguments of a prompt: those that its front matter declares in `arguments` (names in one text or in a list, or
 * objects with name, description and required); else one for each place of a command, named by `argument-hint`; else
 * one for all, when it has `$ARGUMENTS` or a hint. `placeholders` are the texts after the `$` that the body holds.
 */
export function argumentsOf(
  type: AssetType,
  frontmatter: Frontmatter,
  placeholders: readonly string[],
): PromptArgument[] {
  const declared = declaredIn(frontmatter.arguments)
  if (declared.length > 0) return declared
  const hint = frontmatter['argument-hint']
  const description = typeof hint === 'string' && hint.trim() !== '' ? hint.trim() : undefined
  const places = type === 'COMMAND' ? placesIn(placeholders) : 0
  if (places > 0) {
    const names = hintedNames(description ?? '')
    return Array.from({ length: places }, (_, at) => ({
      name: names[at] ?? `argument${at}`,
      required: false,
    }))
  }
  if (description === undefined && !placeholders.includes('ARGUMENTS')) return []
  return [{ name: 'arguments', ...(description !== undefined && { description }), required: false }]
}

function declaredIn(given: unknown): PromptArgument[] {
  const list = typeof given === 'string' ? given.split(/\s+/) : Array.isArray(given) ? given : []
  const found = new Map<string, PromptArgument>()
  for (const item of list as unknown[]) {
    const { name, description, required } = (
      typeof item === 'string' ? { name: item } : (item ?? {})
    ) as Frontmatter
    if (typeof name !== 'string' || !namePattern.test(name) || found.has(name)) continue
    found.set(name, {
      name,
      ...(typeof description === 'string' && { description }),
      required: required === true,
    })
  }
  return [...found.values()].slice(0, mostArguments)
}

/** How many places the placeholders name: `$2` or `$ARGUMENTS[2]` make three. */
function placesIn(placeholders: readonly string[]): number {
  const numbers = placeholders.flatMap(text => {
    const [, number] = /^(?:ARGUMENTS\[)?(\d)\]?$/.exec(text) ?? []
    return number === undefined ? [] : [Number(number) + 1]
  })
  return Math.max(0, ...numbers)
}

/** `[issue number] <priority>` → `issue-number`, `priority`. */
function hintedNames(hint: string): string[] {
  const names = [...hint.matchAll(/\[([^\]]+)\]|<([^>]+)>/g)].map(([, square, angle]) =>
    (square ?? angle)!.replace(/[^\w-]+/g, '-').replace(/^[-\d]+|-+$/g, ''),
  )
  return names.every(name => namePattern.test(name)) && new Set(names).size === names.length ? names : []
}

/** The regular expression for the placeholders that argumentsOf looks at, as the database reads it too. */
export const placeholderPattern = String.raw`\$(ARGUMENTS(?:\[\d\])?|\d)(?!\w)`

/** The texts after the `$` of what argumentsOf looks at. */
export function placeholdersIn(body: string): string[] {
  return [...new Set(Array.from(body.matchAll(new RegExp(placeholderPattern, 'g')), ([, text]) => text!))]
}

/** The names of required arguments that were not given. */
export function missingOf(known: readonly PromptArgument[], given: Record<string, string>): string[] {
  return known.filter(({ name, required }) => required && given[name] === undefined).map(({ name }) => name)
}

/**
 * The body with what was given in place of `$ARGUMENTS`, `$ARGUMENTS[0]`, `$0`, `$name` and `{{name}}`, in one pass:
 * what is put in is not looked at again. A backslash before a placeholder keeps it as it is; a place that was not
 * given stays; a name that was not given becomes empty. Without any placeholder, what was given follows the body, as
 * Claude Code has it. Undefined when it would be longer than limits.toolResourceBytes.
 */
export function filled(
  body: string,
  known: readonly PromptArgument[],
  given: Record<string, string>,
): string | undefined {
  const values = known.map(({ name }) => given[name])
  const whole = values.filter(value => value !== undefined).join(' ')
  const isPlaced = known.length > 0 && !(known.length === 1 && known[0]!.name === 'arguments')
  const names = known.map(({ name }) => name).sort((a, b) => b.length - a.length)
  const named = names.length > 0 ? `|(?<name>${names.join('|')})(?![\\w-])` : ''
  const braced = names.length > 0 ? `|\\{\\{\\s*(?<braced>${names.join('|')})\\s*\\}\\}` : ''
  const places = String.raw`ARGUMENTS\[(?<index>\d)\]|(?<all>ARGUMENTS)(?!\w)|(?<place>\d)(?!\w)`
  const pattern = new RegExp(`(?<escape>\\\\?)\\$(?:${places}${named})${braced}`, 'g')

  let length = body.length
  let isUsed = false
  const text = body.replace(pattern, (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>
    if (groups.escape) return found.slice(1)
    const place = groups.index ?? groups.place
    const name = groups.name ?? groups.braced
    const value =
      groups.all !== undefined
        ? whole
        : place !== undefined
          ? isPlaced
            ? values[Number(place)]
            : undefined
          : (given[name!] ?? '')
    if (value === undefined) return found
    isUsed = true
    length += value.length - found.length
    // too long already: nothing more is put in
    return length > limits.toolResourceBytes ? '' : value
  })
  if (length > limits.toolResourceBytes) return undefined
  return isUsed || whole === '' ? text : `${text}\n\nARGUMENTS: ${whole}`
}
