import { limits } from '#contract/limits.ts'
import type { AssetType } from '#contract/studio/assets.ts'
import { firstOf, required } from '#platform/required.ts'

/** An argument of a prompt. */
export type PromptArgument = { name: string; description?: string; required: boolean }

type Frontmatter = Record<string, unknown>

const namePattern = /^[A-Za-z_][\w-]{0,63}$/
const maxArguments = 20

/**
 * The arguments of a prompt. First choice: those that the front matter declares in `arguments` (names in a text or list, or
 * objects with name, description and required). Second: one for each positional placeholder of a command, named by
 * `argument-hint`. Third: one for everything, if there is `$ARGUMENTS` or a hint. `placeholders` are the texts after `$`.
 */
export function argumentsOf(
  type: AssetType,
  frontmatter: Frontmatter,
  placeholders: readonly string[],
): PromptArgument[] {
  const declared = declaredArguments(frontmatter.arguments)
  if (declared.length > 0) return declared
  const hint = frontmatter['argument-hint']
  const description = typeof hint === 'string' && hint.trim() !== '' ? hint.trim() : undefined
  const positions = type === 'COMMAND' ? countPositions(placeholders) : 0
  if (positions > 0) {
    const names = namesInHint(description ?? '')
    return Array.from({ length: positions }, (_, at) => ({
      name: names[at] ?? `argument${at}`,
      required: false,
    }))
  }
  if (description === undefined && !placeholders.includes('ARGUMENTS')) return []
  return [{ name: 'arguments', ...(description !== undefined && { description }), required: false }]
}

function declaredArguments(provided: unknown): PromptArgument[] {
  const list = typeof provided === 'string' ? provided.split(/\s+/) : Array.isArray(provided) ? provided : []
  const match = new Map<string, PromptArgument>()
  for (const item of list as unknown[]) {
    const { name, description, required } = (
      typeof item === 'string' ? { name: item } : (item ?? {})
    ) as Frontmatter
    if (typeof name !== 'string' || !namePattern.test(name) || match.has(name)) continue
    match.set(name, {
      name,
      ...(typeof description === 'string' && { description }),
      required: required === true,
    })
  }
  return [...match.values()].slice(0, maxArguments)
}

/** The number of positional arguments: `$2` or `$ARGUMENTS[2]` means three. */
function countPositions(placeholders: readonly string[]): number {
  const numbers = placeholders.flatMap(text => {
    const [, number] = /^(?:ARGUMENTS\[)?(\d)\]?$/.exec(text) ?? []
    return number === undefined ? [] : [Number(number) + 1]
  })
  return Math.max(0, ...numbers)
}

/** `[issue number] <priority>` → `issue-number`, `priority`. */
function namesInHint(hint: string): string[] {
  const names = [...hint.matchAll(/\[([^\]]+)\]|<([^>]+)>/g)].map(([, square, angle]) =>
    required(square ?? angle, 'the name in a hint')
      .replace(/[^\w-]+/g, '-')
      .replace(/^[-\d]+|-+$/g, ''),
  )
  return names.every(name => namePattern.test(name)) && new Set(names).size === names.length ? names : []
}

/** A regular expression for the placeholders of `argumentsOf`, valid in JavaScript and PostgreSQL. */
export const placeholderPattern = String.raw`\$(ARGUMENTS(?:\[\d\])?|\d)(?!\w)`

/** The placeholders in a body, for `argumentsOf`. */
export function placeholdersIn(body: string): string[] {
  return [
    ...new Set(
      Array.from(body.matchAll(new RegExp(placeholderPattern, 'g')), ([, text]) =>
        required(text, 'the text of a placeholder'),
      ),
    ),
  ]
}

/** The names of required arguments without a value. */
export function missingArguments(
  known: readonly PromptArgument[],
  provided: Record<string, string>,
): string[] {
  return known
    .filter(({ name, required }) => required && provided[name] === undefined)
    .map(({ name }) => name)
}

/**
 * Replaces `$ARGUMENTS`, `$ARGUMENTS[0]`, `$0`, `$name` and `{{name}}` by values, in one pass: placeholders in values are
 * not replaced. A backslash before a placeholder keeps it. A position without a value stays as it is, a name without one
 * becomes empty. Without any placeholder, the values follow the body, as in Claude Code. Undefined if the result would be
 * longer than limits.toolResourceBytes.
 */
export function fillPrompt(
  body: string,
  known: readonly PromptArgument[],
  provided: Record<string, string>,
): string | undefined {
  const values = known.map(({ name }) => provided[name])
  const allValues = values.filter(value => value !== undefined).join(' ')
  const hasPositions = known.length > 0 && !(known.length === 1 && firstOf(known).name === 'arguments')
  const names = known.map(({ name }) => name).sort((a, b) => b.length - a.length)
  const named = names.length > 0 ? `|(?<name>${names.join('|')})(?![\\w-])` : ''
  const braced = names.length > 0 ? `|\\{\\{\\s*(?<braced>${names.join('|')})\\s*\\}\\}` : ''
  const positions = String.raw`ARGUMENTS\[(?<index>\d)\]|(?<all>ARGUMENTS)(?!\w)|(?<place>\d)(?!\w)`
  const pattern = new RegExp(`(?<escape>\\\\?)\\$(?:${positions}${named})${braced}`, 'g')

  let length = body.length
  let hasPlaceholder = false
  const text = body.replace(pattern, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>
    if (groups.escape) return match.slice(1)
    const position = groups.index ?? groups.place
    const name = groups.name ?? groups.braced
    const value =
      groups.all !== undefined
        ? allValues
        : position !== undefined
          ? hasPositions
            ? values[Number(position)]
            : undefined
          : (provided[name!] ?? '')
    if (value === undefined) return match
    hasPlaceholder = true
    length += value.length - match.length
    // Already too long: stop inserting values
    return length > limits.toolResourceBytes ? '' : value
  })
  if (length > limits.toolResourceBytes) return undefined
  return hasPlaceholder || allValues === '' ? text : `${text}\n\nARGUMENTS: ${allValues}`
}
